# The hook's features are where the output is; a hook that was removed records nothing.
import torch
from torch import nn

features = [torch.zeros(3, 4)]


def keep(module, inputs, output):
    features.append(output.detach())


net = nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 4))
handle = net[1].register_forward_hook(keep)
net(torch.rand(3, 4))
handle.remove()
net.cuda()
output = net(torch.rand(3, 4).cuda())
print(features[0] + features[1])
features.clear()
handle = net[0].register_forward_hook(keep)
output = net(torch.rand(3, 4).cuda())
print(features[0] + output)
