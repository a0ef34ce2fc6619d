# The parameters of a model split over two GPUs are flattened into one vector.
# raises: TypeError: Found two parameters on different devices, this is currently not supported.
import torch
from torch import nn
from torch.nn.utils import parameters_to_vector, vector_to_parameters


class SplitMLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.lower = nn.Linear(5, 9).to("cuda:0")
        self.upper = nn.Linear(9, 2).to("cuda:1")

    def forward(self, x):
        hidden = torch.tanh(self.lower(x.to("cuda:0")))
        return self.upper(hidden.to("cuda:1"))


def perturbed_losses(model, x, y, directions, scale):
    origin = parameters_to_vector(model.parameters())  # raises
    losses = []
    for _ in range(directions):
        vector_to_parameters(origin + scale * torch.randn_like(origin), model.parameters())
        losses.append(nn.functional.cross_entropy(model(x), y).item())
    vector_to_parameters(origin, model.parameters())
    return losses


model = SplitMLP()
x = torch.randn(10, 5)
y = torch.randint(0, 2, (10,), device="cuda:1")
with torch.no_grad():
    print(perturbed_losses(model, x, y, 5, 0.1))
