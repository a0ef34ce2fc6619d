# Between the state and the move, the learning rate is set in each group.
import torch
from torch import nn


def first_run(device):
    model = nn.Linear(8, 2).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    model(torch.randn(4, 8, device=device)).sum().backward()
    optimizer.step()
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, "rates.pth")


def second_run(device):
    model = nn.Linear(8, 2)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    checkpoint = torch.load("rates.pth", map_location="cpu")
    model.load_state_dict(checkpoint["model"])
    optimizer.load_state_dict(checkpoint["optimizer"])
    for group in optimizer.param_groups:
        group["lr"] = 3e-4
    model.to(device)
    model(torch.randn(4, 8, device=device)).sum().backward()
    optimizer.step()  # expect: optimizer-state-device


first_run(torch.device("cuda"))
second_run(torch.device("cuda"))
