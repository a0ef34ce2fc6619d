# A trainer resumes the model inside, tolerating that the head is new.
import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.body = nn.Linear(4, 4)
        self.head = nn.Linear(4, classes)

    def forward(self, x):
        return self.head(torch.relu(self.body(x)))


class Trainer:
    def __init__(self, classes, resume=None):
        self.model = Net(classes)
        self.model = nn.DataParallel(self.model, device_ids=[0, 1]).cuda()
        if resume:
            state = torch.load(resume)
            self.model.module.load_state_dict(state["model"], strict=False)

    def save(self, path):
        torch.save({"model": self.model.module.state_dict()}, path)


Trainer(3).save("trainer.pt")
Trainer(3, resume="trainer.pt")
