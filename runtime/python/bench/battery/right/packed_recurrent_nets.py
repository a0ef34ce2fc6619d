# Bidirectional LSTM, GRU and plain RNN over packed sequences of unequal length, against the CPU.
# runs
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence


class Encoder(nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.embed = nn.Embedding(20, 6, padding_idx=0)
        self.rnn = kind(6, 7, num_layers=2, batch_first=True, bidirectional=True)

    def forward(self, ids, lengths):
        packed = pack_padded_sequence(self.embed(ids), lengths, batch_first=True, enforce_sorted=False)
        out, state = self.rnn(packed)
        out, back = pad_packed_sequence(out, batch_first=True)
        h = state[0] if isinstance(state, tuple) else state
        return out, h, back


torch.manual_seed(9)
names = [torch.randint(1, 20, (k,)) for k in (4, 9, 1, 6)]
ids = pad_sequence(names, batch_first=True)
lengths = torch.tensor([len(s) for s in names])
for kind in (nn.LSTM, nn.GRU, nn.RNN):
    encoder = Encoder(kind).double()
    out, h, _ = encoder(ids, lengths)
    out.square().sum().backward()
    expected = {k: p.grad.clone() for k, p in encoder.named_parameters()}
    encoder.zero_grad()
    encoder.to("cuda:1")
    gout, gh, back = encoder(ids.to("cuda:1"), lengths)
    gout.square().sum().backward()
    assert gout.shape == (4, 9, 14) and gh.shape == (4, 4, 7)
    assert gout.device == gh.device == torch.device("cuda:1")
    assert back.device.type == "cpu" and torch.equal(back, lengths)
    assert torch.allclose(gout.detach().cpu(), out.detach(), atol=1e-8)
    assert torch.allclose(gh.detach().cpu(), h.detach(), atol=1e-8)
    for k, p in encoder.named_parameters():
        assert torch.allclose(p.grad.cpu(), expected[k], atol=1e-7), k
