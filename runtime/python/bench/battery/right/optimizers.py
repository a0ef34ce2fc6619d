# Every common optimizer steps, plain, foreach and fused.
# runs
import torch
from torch import optim

cases = [(optim.SGD, dict(lr=0.1, momentum=0.9)), (optim.SGD, dict(lr=0.1, fused=True)),
         (optim.Adam, {}), (optim.Adam, dict(foreach=False)), (optim.AdamW, dict(fused=True)),
         (optim.Adam, dict(capturable=True)), (optim.RMSprop, {}), (optim.Adagrad, {}),
         (optim.Adadelta, {}), (optim.NAdam, {}), (optim.RAdam, {}), (optim.Adamax, {})]
x = torch.randn(4, 3, device="cuda")
for kind, options in cases:
    net = torch.nn.Linear(3, 2).cuda()
    optimizer = kind(net.parameters(), **options)
    before = net.weight.detach().clone()
    for _ in range(2):
        optimizer.zero_grad()
        net(x).square().sum().backward()
        optimizer.step()
    assert not torch.equal(before, net.weight), kind
