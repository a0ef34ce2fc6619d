# The averaged copy is made after the move.
# runs
import torch
from torch.optim.swa_utils import AveragedModel

net = torch.nn.Linear(4, 2).cuda()
average = AveragedModel(net)
for _ in range(2):
    average.update_parameters(net)
assert torch.allclose(average(torch.ones(1, 4).cuda()), net(torch.ones(1, 4).cuda()))
