# The ways to wait for a copy from the GPU, and copies that wait by themselves.
import torch

losses = torch.ones(64, device="cuda")

copy = losses.to("cpu", non_blocking=True)
torch.cuda.synchronize()
print(copy.numpy().sum())

copy = losses.to("cpu", non_blocking=True)
torch.cuda.current_stream().synchronize()
print(copy.numpy().sum())

copy = losses.to("cpu", non_blocking=True)
done = torch.cuda.Event()
done.record()
done.synchronize()
print(copy.numpy().sum())

copy = losses.to("cpu", non_blocking=True)
print(losses.sum().item(), copy.sum().item())

pageable = torch.empty(64)
pageable.copy_(losses, non_blocking=True)
print(pageable.numpy().sum())

there = torch.ones(64).pin_memory().to("cuda", non_blocking=True)
print(there.sum().item())
