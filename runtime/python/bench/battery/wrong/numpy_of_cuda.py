# .numpy() without .cpu().
# raises: TypeError: can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first.
import torch

predictions = torch.randn(4, device="cuda")
predictions.numpy()  # raises
