# In a replica of DataParallel the weights are plain attributes, and parameters() yields none.
import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(4, 2)

    @property
    def device(self):
        return next(self.parameters()).device  # expect: data-parallel-attribute

    def forward(self, x):
        return self.fc(x) + torch.zeros(2, device=self.device)


model = Model().cuda()
print(model.device)
model = torch.nn.DataParallel(model, device_ids=[0, 1])
print(model(torch.rand(8, 4).cuda()).shape)
