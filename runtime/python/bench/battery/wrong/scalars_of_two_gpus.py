# Scalars of the CPU mix with a GPU's tensors, those of another GPU do not.
# raises: RuntimeError: Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cuda:1!
import torch

losses = [torch.tensor(1.0, device=f"cuda:{i}") for i in range(2)]
sum(losses)  # raises
