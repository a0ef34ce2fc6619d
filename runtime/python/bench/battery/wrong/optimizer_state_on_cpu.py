# The model moves after the optimizer has made its state.
# raises: RuntimeError: Tensors of the same index must be on the same device and the same dtype
# raises: RuntimeError: Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!
import torch

net = torch.nn.Linear(4, 1)
optimizer = torch.optim.Adam(net.parameters())
net(torch.randn(2, 4)).sum().backward()
optimizer.step()
net.cuda()
optimizer.zero_grad()
net(torch.randn(2, 4).cuda()).sum().backward()
optimizer.step()  # raises
