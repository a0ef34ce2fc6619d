# A list of losses that still are on the GPU goes to numpy.
# raises: TypeError: can't convert cuda:0 device type tensor to numpy.
import numpy as np
import torch

losses = [torch.ones((), device="cuda") for _ in range(3)]
np.mean(losses)  # raises
