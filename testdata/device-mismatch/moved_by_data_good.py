# Parameters and members are moved without Module.to().
import torch
import torch.nn as nn


class Holder:
    def __init__(self, value):
        self.value = value

    @property
    def value(self):
        return self._value

    @value.setter
    def value(self, value):
        self._value = value.cuda()


by_data = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 2))
for parameter in by_data.parameters():
    parameter.data = parameter.data.cuda()
print(by_data(torch.randn(3, 4).cuda()).sum())

by_function = nn.Linear(4, 2)
by_function._apply(lambda tensor: tensor.cuda())
print(by_function(torch.randn(3, 4).cuda()).sum())

holder = Holder(torch.randn(3, 2))
holder.value = torch.randn(3, 2)
print(by_data(torch.randn(3, 4).cuda()) + holder.value)
