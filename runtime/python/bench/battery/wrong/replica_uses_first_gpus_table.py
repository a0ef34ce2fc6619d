# A plain tensor attribute is not replicated by DataParallel, so the second replica meets the first GPU's copy.
# raises: RuntimeError: Caught RuntimeError in replica 1 on device 1.
import torch
from torch import nn


class RadialBasis(nn.Module):
    """Expands distances in Gaussians around fixed centres."""

    def __init__(self, count=16, device="cuda:0"):
        super().__init__()
        self.centres = torch.linspace(0.0, 5.0, count, device=device)
        self.mix = nn.Linear(count, 1)

    def forward(self, distance):
        basis = torch.exp(-(distance.unsqueeze(-1) - self.centres) ** 2)
        return self.mix(basis).squeeze(-1)


model = nn.DataParallel(RadialBasis().to("cuda:0"), device_ids=[0, 1])
distances = torch.rand(12, 7, device="cuda:0") * 5
energy = model(distances)  # raises
print(energy.sum().item())
