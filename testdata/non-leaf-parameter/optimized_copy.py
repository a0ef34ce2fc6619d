# A latent code is moved after it was told to take a gradient.
import torch


def latent(device):
    return torch.randn(1, 16, requires_grad=True).to(device)


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
generator = torch.nn.Linear(16, 4).to(device)
target = torch.rand(1, 4, device=device)
code = latent(device)
optimizer = torch.optim.SGD([{"params": [code], "lr": 0.1}], lr=0.01)  # expect: non-leaf-parameter
for step in range(3):
    optimizer.zero_grad()
    torch.nn.functional.mse_loss(generator(code), target).backward()
    optimizer.step()
