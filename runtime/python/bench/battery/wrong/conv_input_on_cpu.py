# An image goes to a convolution on the GPU without being moved.
# raises: RuntimeError: Input type (torch.FloatTensor) and weight type (torch.cuda.FloatTensor) should be the same
import torch

conv = torch.nn.Conv2d(3, 4, 3).cuda()
conv(torch.randn(1, 3, 8, 8))  # raises
