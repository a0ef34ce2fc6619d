# Actions of a replay buffer are on the CPU.
# raises: RuntimeError: Expected all tensors to be on the same device, but got index is on cpu, different from other tensors on cuda:0 (when checking argument in method wrapper_CUDA_gather)
# raises: RuntimeError: two devices, cuda:0 and cpu! (when checking argument for argument index in method wrapper
import torch

values = torch.randn(8, 4, device="cuda")
actions = torch.randint(4, (8, 1))
values.gather(1, actions)  # raises
