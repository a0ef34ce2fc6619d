# Properties of a GPU that is not there.
# raises: AssertionError: Invalid device id
import torch

torch.cuda.get_device_properties(3)  # raises
