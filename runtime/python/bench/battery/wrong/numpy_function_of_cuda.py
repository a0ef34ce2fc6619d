# A numpy function is called on a list of losses.
# raises: TypeError: can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first.
import numpy
import torch

losses = [torch.rand((), device="cuda") for _ in range(3)]
numpy.mean(losses)  # raises
