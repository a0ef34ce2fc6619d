# The teacher takes the state of the student inside its wrapper.
import copy

import torch
import torch.nn as nn

device = torch.device("cuda:0")
student = nn.Linear(5, 3)
teacher = copy.deepcopy(student).to(device)
student = nn.DataParallel(student, device_ids=[0, 1]).to(device)
for step in range(2):
    student(torch.randn(4, 5)).sum().backward()
teacher.load_state_dict(student.module.state_dict())
