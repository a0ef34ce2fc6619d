# The wrapped module computes its loss, which is one number for each replica.
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 3)

    def forward(self, batch):
        logits = self.fc(batch["x"])
        return {"loss": nn.functional.cross_entropy(logits, batch["y"]), "logits": logits}


model = Tagger().cuda()
if torch.cuda.device_count() > 1:
    model = nn.DataParallel(model)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
data = TensorDataset(torch.rand(32, 8), torch.randint(3, (32,)))
for x, y in DataLoader(data, batch_size=16):
    batch = {"x": x.cuda(), "y": y.cuda()}
    loss = model(batch)["loss"]
    optimizer.zero_grad()
    loss.backward()  # expect: data-parallel-loss
    optimizer.step()
    print(loss.tolist())
