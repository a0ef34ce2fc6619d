# DataParallel gathers the outputs of all stages, in a list as the network has it.
import torch
import torch.nn as nn
import torch.nn.functional as layers
import torch.nn.functional as F
import torch.nn as layers


class Stacked(nn.Module):
    def __init__(self, stages):
        super().__init__()
        stages = [layers.Linear(4, 4) for _ in range(stages)]
        self.stages = layers.ModuleList(stages)

    def forward(self, x):
        outputs = []
        for stage in self.stages:
            x = stage(x)
            outputs.append(x)
        return outputs


model = nn.DataParallel(Stacked(3)).cuda()
inputs, target = torch.randn(4, 4), torch.randn(4, 4).cuda()
outputs = model(inputs)
if type(outputs) == list:
    loss = 0
    for output in outputs:
        loss = loss + F.mse_loss(output, target)
else:
    loss = F.mse_loss(outputs, target)
loss.backward()
