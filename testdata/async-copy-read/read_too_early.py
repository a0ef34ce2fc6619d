# The host reads what a copy from the GPU, which nothing has waited for, still writes.
import torch

losses = torch.ones(64, device="cuda")

copy = losses.to("cpu", non_blocking=True)
print(copy.numpy().sum())  # expect: async-copy-read

staged = torch.empty(64, pin_memory=True)
staged[:32].copy_(losses[:32], non_blocking=True)
print(staged.tolist())  # expect: async-copy-read
