# reparameterisation: noise on the CPU, parameters on the GPU.
# raises: RuntimeError: Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!
import torch

mean = torch.zeros(8, 2, device="cuda")
deviation = torch.ones(8, 2, device="cuda")
noise = torch.randn(mean.shape)
mean + deviation * noise  # raises
