# Lengths of a packed sequence stay on the CPU.
# runs
import torch
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

gru = torch.nn.GRU(4, 6, batch_first=True, bidirectional=True).cuda()
packed = pack_padded_sequence(torch.randn(3, 5, 4).cuda(), torch.tensor([5, 3, 2]),
                              batch_first=True)
output, lengths = pad_packed_sequence(gru(packed)[0], batch_first=True)
assert output.shape == (3, 5, 12) and output.is_cuda and not lengths.is_cuda
