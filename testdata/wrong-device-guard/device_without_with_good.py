# The second device is selected for a block.
import torch

net = torch.nn.Linear(4, 2).to("cuda:1")
with torch.cuda.device(1):
    x = torch.rand(3, 4).cuda()
    net(x)
