# The forward takes the device from its input.
import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(4, 2)

    @property
    def device(self):
        return next(self.parameters()).device

    def forward(self, x):
        return self.fc(x) + torch.zeros(2, device=x.device)


model = Model().cuda()
print(model.device)
model = torch.nn.DataParallel(model, device_ids=[0, 1])
print(model(torch.rand(8, 4).cuda()).shape)
