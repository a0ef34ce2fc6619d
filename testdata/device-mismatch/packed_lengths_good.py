# The lengths of packed sequences stay on the host.
import torch
from torch.nn.utils.rnn import pack_padded_sequence

gru = torch.nn.GRU(6, 4, batch_first=True).cuda()
batch = torch.rand(2, 5, 6).cuda()
lengths = torch.tensor([5, 3]).cuda()
packed = pack_padded_sequence(batch, lengths.cpu(), batch_first=True)
print(gru(packed)[1].shape)
