# Detection targets are dicts in a list; the images are moved, the boxes are not.
import torch
from torch import nn


class Detector(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Conv2d(3, 4, 3, padding=1)
        self.box_head = nn.Linear(4, 4)

    def forward(self, images, targets):
        features = torch.stack([self.backbone(image.unsqueeze(0)).mean(dim=(2, 3)).squeeze(0) for image in images])
        boxes = self.box_head(features)
        wanted = torch.stack([target["boxes"] for target in targets])
        return {"loss_box": nn.functional.smooth_l1_loss(boxes, wanted)}


def loader():
    for _ in range(2):
        yield [torch.rand(3, 4, 4) for _ in range(2)], [{"boxes": torch.rand(4)} for _ in range(2)]


device = torch.device("cuda") if torch.cuda.is_available() else torch.device("cpu")
model = Detector()
model.to(device)
optimizer = torch.optim.SGD([p for p in model.parameters() if p.requires_grad], lr=0.005)
for images, targets in loader():
    images = list(image.to(device) for image in images)
    loss_dict = model(images, targets)  # expect: device-mismatch
    losses = sum(loss for loss in loss_dict.values())
    optimizer.zero_grad()
    losses.backward()
    optimizer.step()
