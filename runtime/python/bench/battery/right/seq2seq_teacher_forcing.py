# encoder on GPU 0, decoder on GPU 1, GRU with packed sequences and teacher forcing
# runs
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.utils.rnn import pack_padded_sequence, pad_sequence

torch.backends.cudnn.allow_tf32 = False
PAD, BOS, VOCAB = 0, 1, 12


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(VOCAB, 8, padding_idx=PAD)
        self.rnn = nn.GRU(8, 16, batch_first=True)

    def forward(self, src, lengths):
        packed = pack_padded_sequence(self.emb(src), lengths, batch_first=True, enforce_sorted=False)
        return self.rnn(packed)[1]


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(VOCAB, 8, padding_idx=PAD)
        self.cell = nn.GRUCell(8, 16)
        self.out = nn.Linear(16, VOCAB)

    def forward(self, h, tgt, forced):
        tok = torch.full((tgt.size(0),), BOS, device=tgt.device)
        logits = []
        for t in range(tgt.size(1)):
            h = self.cell(self.emb(tok), h)
            logits.append(self.out(h))
            tok = tgt[:, t] if forced[t] else logits[-1].argmax(-1)
        return torch.stack(logits, 1)


def run(edev, ddev):
    torch.manual_seed(0)
    enc, dec = Encoder().to(edev), Decoder().to(ddev)
    opt = torch.optim.SGD(list(enc.parameters()) + list(dec.parameters()), lr=0.5)
    g = torch.Generator().manual_seed(2)
    seqs = [torch.randint(2, VOCAB, (n,), generator=g) for n in (5, 3, 7, 4)]
    src = pad_sequence(seqs, batch_first=True, padding_value=PAD)
    lengths = torch.tensor([len(s) for s in seqs])  # stays on the CPU
    losses = []
    for _ in range(3):
        h = enc(src.to(edev), lengths)[0].to(ddev)
        tgt = src.flip(1).to(ddev)
        logits = dec(h, tgt, forced=[True] * tgt.size(1))
        loss = F.cross_entropy(logits.flatten(0, 1), tgt.flatten(), ignore_index=PAD)
        opt.zero_grad()
        loss.backward()
        opt.step()
        losses.append(loss.item())
    with torch.no_grad():
        free = dec(enc(src.to(edev), lengths)[0].to(ddev), src.to(ddev), forced=[False] * 7)
    assert free.shape == (4, 7, VOCAB) and free.device == torch.device(ddev)
    return losses, enc.rnn.weight_hh_l0.detach().cpu(), dec.emb.weight.detach().cpu()


got, want = run("cuda:0", "cuda:1"), run("cpu", "cpu")
assert all(abs(a - b) < 2e-3 for a, b in zip(got[0], want[0])), (got[0], want[0])
assert torch.allclose(got[1], want[1], atol=2e-3) and torch.allclose(got[2], want[2], atol=2e-3)
assert not got[2][PAD].any()
