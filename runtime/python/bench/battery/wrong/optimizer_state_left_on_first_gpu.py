# Between two phases the model moves to the second GPU, but Adam's moments stay on the first.
# raises: RuntimeError: Tensors of the same index must be on the same device and the same dtype except `step` tensors that can be CPU and float32/64
import torch
from torch import nn


def phase(model, optimizer, device, steps, seed):
    generator = torch.Generator().manual_seed(seed)
    for _ in range(steps):
        x = torch.randn(16, 6, generator=generator).to(device)
        loss = (model(x) - x.mean(dim=1, keepdim=True)).abs().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()  # raises
    return loss.item()


model = nn.Sequential(nn.Linear(6, 12), nn.SiLU(), nn.Linear(12, 1)).to("cuda:0")
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
optimizer_phase = phase(model, optimizer, "cuda:0", 4, seed=1)
print("pretraining", optimizer_phase)
model.to("cuda:1")
print("fine-tuning", phase(model, optimizer, "cuda:1", 4, seed=2))
