# Layers in a ModuleList are known to the module.
import torch
import torch.nn as nn
import torch.nn.functional as F


class TextCNN(nn.Module):
    def __init__(self, vocab, dim, kernels=(2, 3)):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.convs = nn.ModuleList([nn.Conv1d(dim, 4, k) for k in kernels])
        self.fc = nn.Linear(4 * len(kernels), 2)

    def forward(self, x):
        x = self.embed(x).transpose(1, 2)
        x = [F.relu(conv(x)).max(dim=2)[0] for conv in self.convs]
        return self.fc(torch.cat(x, 1))


device = torch.device("cuda")
model = TextCNN(30, 6).to(device)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
tokens = torch.randint(30, (4, 7)).to(device)
loss = F.cross_entropy(model(tokens), torch.randint(2, (4,)).to(device))
loss.backward()
optimizer.step()
