# The numbers of the replicas are reduced to one where there are several.
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


gpus = torch.cuda.device_count()
model = Tagger().cuda()
alone = nn.DataParallel(Tagger().cuda(), device_ids=[0])
if gpus > 1:
    model = nn.DataParallel(model)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
data = TensorDataset(torch.rand(32, 8), torch.randint(3, (32,)))
for x, y in DataLoader(data, batch_size=16):
    batch = {"x": x.cuda(), "y": y.cuda()}
    loss = model(batch)["loss"]
    if gpus > 1:
        loss = loss.mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(loss.item(), alone(batch)["loss"].item())
