# the initial hidden state of the encoder is created on the CPU
# raises: RuntimeError: Input and hidden tensors are not at the same device, found input tensor at cuda:0 and hidden tensor at cpu
import torch
import torch.nn as nn


class Encoder(nn.Module):
    def __init__(self, vocab, d):
        super().__init__()
        self.d = d
        self.emb = nn.Embedding(vocab, d)
        self.gru = nn.GRU(d, d, batch_first=True)

    def init_hidden(self, batch):
        return torch.zeros(1, batch, self.d)

    def forward(self, tokens):
        h0 = self.init_hidden(tokens.size(0))
        return self.gru(self.emb(tokens), h0)  # raises


device = torch.device("cuda:0")
enc = Encoder(30, 16).to(device)
head = nn.Linear(16, 30).to(device)
tokens = torch.randint(0, 30, (4, 7), device=device)
out, h = enc(tokens)  # raises
loss = nn.functional.cross_entropy(head(out).flatten(0, 1), tokens.flatten())
loss.backward()
