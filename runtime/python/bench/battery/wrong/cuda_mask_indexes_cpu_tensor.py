# A mask computed on the GPU selects from an array of the CPU.
# raises: RuntimeError: indices should be either on cpu or on the same device as the indexed tensor (cpu)
import torch

scores = torch.rand(6).cuda()
names = torch.arange(6)
names[scores > 0.5]  # raises
