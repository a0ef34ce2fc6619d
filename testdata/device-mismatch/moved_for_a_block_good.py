# Weights are exchanged and the network is moved for a block; what was there before is there again.
from contextlib import contextmanager

import torch
from torch import nn


class Average:
    def __init__(self, model):
        self.model = model
        self.shadow = {name: value.clone() for name, value in model.state_dict().items()}

    @contextmanager
    def applied(self):
        backup = {name: value.clone() for name, value in self.model.state_dict().items()}
        self.model.load_state_dict(self.shadow)
        yield self.model.eval()
        self.model.load_state_dict(backup)


@contextmanager
def on_gpu(model):
    was_training = model.training
    model.cuda()
    yield
    model.cpu()
    model.train(was_training)


net = nn.Linear(4, 2)
average = Average(net)
with average.applied() as averaged:
    print(averaged(torch.rand(3, 4)))
with on_gpu(net):
    print(net(torch.rand(3, 4).cuda()))
print(net(torch.rand(3, 4)))
