# The model is moved before the optimizer's state is loaded, or the state is moved after it.
import torch
from torch import nn


def train(model, optimizer, device):
    for _ in range(2):
        optimizer.zero_grad()
        model(torch.randn(4, 8, device=device)).sum().backward()
        optimizer.step()


def first_run(device):
    model = nn.Linear(8, 2).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    train(model, optimizer, device)
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, "checkpoint.pth")


def second_run(device):
    model = nn.Linear(8, 2).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    checkpoint = torch.load("checkpoint.pth", map_location="cpu")
    model.load_state_dict(checkpoint["model"])
    optimizer.load_state_dict(checkpoint["optimizer"])
    train(model, optimizer, device)


def third_run(device):
    model = nn.Linear(8, 2)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    checkpoint = torch.load("checkpoint.pth", map_location="cpu")
    model.load_state_dict(checkpoint["model"])
    optimizer.load_state_dict(checkpoint["optimizer"])
    model.to(device)
    for state in optimizer.state.values():
        for name, value in state.items():
            if torch.is_tensor(value) and value.dim() > 0:
                state[name] = value.to(device)
    train(model, optimizer, device)


first_run(torch.device("cuda"))
second_run(torch.device("cuda"))
third_run(torch.device("cuda"))
