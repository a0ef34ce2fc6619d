# State is put into the optimizer by hand from a checkpoint of the CPU.
# raises: RuntimeError: Tensors of the same index must be on the same device and the same dtype
# raises: RuntimeError: Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!
import torch

net = torch.nn.Linear(4, 1).cuda()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
for parameter in net.parameters():
    optimizer.state[parameter]["momentum_buffer"] = torch.zeros(parameter.shape)
net(torch.randn(2, 4, device="cuda")).sum().backward()
optimizer.step()  # raises
