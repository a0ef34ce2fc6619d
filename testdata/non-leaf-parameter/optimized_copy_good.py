# A latent code is made where it is trained, or becomes a leaf there.
import torch


def latent(device):
    return torch.randn(1, 16, device=device, requires_grad=True)


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
generator = torch.nn.Linear(16, 4).to(device)
target = torch.rand(1, 4, device=device)
code = latent(device)
shift = torch.zeros(4, requires_grad=True).cuda().detach().requires_grad_()
scale = torch.ones(4, requires_grad=True).to("cpu")
optimizer = torch.optim.SGD([{"params": [code, shift], "lr": 0.1}, {"params": [scale]}], lr=0.01)
for step in range(3):
    optimizer.zero_grad()
    torch.nn.functional.mse_loss(generator(code) + shift, target).backward()
    optimizer.step()
