# A batch whose entries are moved one by one, under their keys.
import torch
from torch import nn


def move(batch, device):
    for key in batch:
        if torch.is_tensor(batch[key]):
            batch[key] = batch[key].to(device)
    return batch


device = torch.device("cuda:0")
model = nn.Linear(4, 1).to(device)
criterion = nn.BCEWithLogitsLoss(pos_weight=torch.tensor(2.0))
batch = {"inputs": torch.rand(3, 4), "label": torch.ones(3, 1), "text": ["a", "b", "c"]}
move(batch, device)
batch.pop("text")
print(criterion(model(batch["inputs"]), batch["label"]).item())
