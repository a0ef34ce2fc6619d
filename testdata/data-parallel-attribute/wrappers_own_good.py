# What the wrapper has itself, what is set on it, and guarded uses of the inner model.
import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 2)

    def forward(self, x):
        return self.fc(x)

    def embed(self, x):
        return self.fc(x)


net = nn.DataParallel(Net()).cuda()
net.train()
net.class_weights = torch.ones(2)
print(net.device_ids, net.output_device, net.dim, net.training, net.class_weights.sum())
net.module.fc.requires_grad_(False)
for name, parameter in net.named_parameters():
    print(name, parameter.device)
x = torch.randn(4, 4).cuda()
if isinstance(net, nn.DataParallel):
    net.module.embed(x)
else:
    net.embed(x)
inner = net.module if hasattr(net, "module") else net
inner.embed(x)
if hasattr(net, "embed"):
    net.embed(x)
try:
    net.embed(x)
except AttributeError:
    net.module.embed(x)
getattr(net, "embed", net.module.embed)(x)
net = net.module
net.embed(x)
