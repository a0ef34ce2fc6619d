# A list of one keeps a teacher out of the student's state.
import torch
from torch import nn


class Distiller(nn.Module):
    def __init__(self, student, teacher):
        super().__init__()
        self.student = student.to("cuda:0")
        self._teacher = [teacher.to("cuda:1").eval()]

    def forward(self, x):
        with torch.no_grad():
            wanted = self._teacher[0](x.to("cuda:1")).to(x.device)
        return (self.student(x) - wanted).pow(2).mean()


model = Distiller(nn.Linear(4, 2), nn.Linear(4, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
model(torch.rand(3, 4, device="cuda:0")).backward()
optimizer.step()
