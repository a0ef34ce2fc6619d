# The images of a detection batch are moved, and its targets, which a function of the program collates, are not.
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, Dataset


class Boxes(Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, index):
        target = {"labels": torch.tensor([index % 3]), "boxes": torch.rand(1, 4)}
        return torch.rand(1, 8, 8), target


def collate(batch):
    return tuple(zip(*batch))


class Detector(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(1, 4, 3, 2, 1), nn.ReLU(), nn.Flatten())
        self.box = nn.Linear(64, 4)

    def forward(self, images, targets):
        features = self.body(torch.stack(images))
        boxes = torch.cat([target["boxes"] for target in targets])
        return F.smooth_l1_loss(self.box(features), boxes)


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = Detector().to(device)
for images, targets in DataLoader(Boxes(), batch_size=2, collate_fn=collate):
    images = [image.to(device) for image in images]
    model(images, targets).backward()  # expect: device-mismatch
