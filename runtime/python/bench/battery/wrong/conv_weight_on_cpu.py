# The image was moved, the model was not.
# raises: RuntimeError: Input type (torch.cuda.FloatTensor) and weight type (torch.FloatTensor) should be the same
import torch

conv = torch.nn.Conv2d(3, 4, 3)
image = torch.randn(1, 3, 8, 8, device="cuda")
conv(image)  # raises
