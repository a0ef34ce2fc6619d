# The image stays on the CPU.
# raises: RuntimeError: Input type (torch.FloatTensor) and weight type (torch.cuda.FloatTensor) should be the same
import torch

net = torch.nn.Sequential(torch.nn.Conv2d(3, 8, 3), torch.nn.ReLU()).to("cuda:3").eval()
image = torch.randn(1, 3, 16, 16)
net(image)  # expect: device-mismatch  # raises
