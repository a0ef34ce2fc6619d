# Gradients on two GPUs are clipped by their common norm.
# runs
import torch

a = torch.nn.Linear(3, 3).to("cuda:0")
b = torch.nn.Linear(3, 1).to("cuda:1")
b(a(torch.randn(2, 3, device="cuda:0")).to("cuda:1")).sum().backward()
norm = torch.nn.utils.clip_grad_norm_([*a.parameters(), *b.parameters()], 0.5)
assert norm.item() > 0
