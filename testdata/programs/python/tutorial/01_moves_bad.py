# The moved tensor is dropped, the model gets the one of the CPU.
# raises: RuntimeError: Expected all tensors to be on the same device, but got mat1 is on cpu, different from other tensors on cuda:0 (when checking argument in method wrapper_CUDA_addmm)
# raises: RuntimeError: Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu! (when checking argument for argument mat1 in method wrapper
import torch

device = torch.device("cuda:0")
net = torch.nn.Linear(4, 3)
net.to(device)
x = torch.randn(2, 4)
x.to(device)  # expect: discarded-transfer
net(x)  # expect: device-mismatch  # raises
