# numpy takes tensors of the CPU only.
# raises: TypeError: can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first.
import torch

net = torch.nn.Linear(4, 2).cuda()
output = net(torch.ones(2, 4).cuda())
output.detach().numpy()  # expect: numpy-on-device  # raises
