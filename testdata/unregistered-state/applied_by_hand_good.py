# Frozen teachers are in no state dict, and the module moves them with the rest.
import torch
from torch import nn


class Distiller(nn.Module):
    def __init__(self, student, teachers):
        super().__init__()
        self.student = student
        self.teachers = [teacher.requires_grad_(False) for teacher in teachers]

    def _apply(self, fn):
        super()._apply(fn)
        for teacher in self.teachers:
            teacher._apply(fn)
        return self

    def forward(self, x):
        soft = torch.stack([teacher(x) for teacher in self.teachers]).mean(0)
        return (self.student(x) - soft).pow(2).mean()


model = Distiller(nn.Linear(4, 2), [nn.Linear(4, 2), nn.Linear(4, 2)]).to("cuda:0")
print(model(torch.ones(3, 4, device="cuda:0")).item())
