# The teacher is moved by itself.
import torch
from torch import nn


class Distiller(nn.Module):
    def __init__(self, student, teacher):
        super().__init__()
        self.student = student
        self._frozen = (teacher.eval().requires_grad_(False),)

    @property
    def teacher(self):
        return self._frozen[0]

    def forward(self, x):
        with torch.no_grad():
            wanted = self.teacher(x)
        return (self.student(x) - wanted).square().mean()


distiller = Distiller(nn.Linear(4, 2), nn.Linear(4, 2)).to("cuda")
x = torch.ones(2, 4).cuda()
distiller.teacher.to("cuda")
distiller(x)
