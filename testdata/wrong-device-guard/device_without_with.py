# The second device is named, but no `with` selects it.
import torch

net = torch.nn.Linear(4, 2).to("cuda:1")
torch.cuda.device(1)  # expect: wrong-device-guard
x = torch.rand(3, 4).cuda()
net(x)  # expect: device-mismatch
