# DataParallel over both GPUs trains to the same weights as one CPU model.
# runs
import copy

import torch
from torch import nn


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(30, 6)
        self.body = nn.Sequential(nn.Linear(6, 10), nn.ReLU(), nn.Linear(10, 4))
        self.seen = []

    def forward(self, ids):
        self.seen.append((str(ids.device), str(self.embed.weight.device), len(ids)))
        return self.body(self.embed(ids).mean(dim=1))


def train(model, batches, device):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.2, momentum=0.9)
    losses = []
    for ids, labels in batches:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(ids.to(device)), labels.to(device))
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


torch.manual_seed(24)
plain = Classifier()
wrapped = nn.DataParallel(copy.deepcopy(plain).to("cuda:0"), device_ids=[0, 1])
batches = [(torch.randint(0, 30, (n, 5)), torch.randint(0, 4, (n,))) for n in (8, 8, 7, 1)]
losses = train(plain, batches, "cpu")
parallel_losses = train(wrapped, batches, "cuda:0")
assert all(abs(a - b) < 1e-3 for a, b in zip(losses, parallel_losses))
for (name, p), q in zip(wrapped.named_parameters(), plain.parameters()):
    assert name.startswith("module.") and p.device == torch.device("cuda:0")
    assert torch.allclose(p.detach().cpu(), q.detach(), atol=1e-3), name
seen = wrapped.module.seen
assert sorted(s[2] for s in seen) == [1, 3, 4, 4, 4, 4, 4]
assert {s[0] for s in seen} == {"cuda:0", "cuda:1"} and all(a == b for a, b, _ in seen)
state = {k.removeprefix("module."): v.cpu() for k, v in wrapped.state_dict().items()}
plain.load_state_dict(state)
