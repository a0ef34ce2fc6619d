# A trained classifier on the GPU meets a preprocessed image that is still in host memory.
# raises: RuntimeError: Input type (torch.FloatTensor) and weight type (torch.cuda.FloatTensor) should be the same
import numpy as np
import torch
from torch import nn


class SmallCNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2))
        self.classifier = nn.Linear(8 * 8 * 8, 4)

    def forward(self, x):
        x = self.features(x)  # raises
        return self.classifier(x.flatten(1))


def preprocess(image):
    x = torch.from_numpy(image).float().div_(255).permute(2, 0, 1)
    mean = torch.tensor([0.485, 0.456, 0.406]).view(3, 1, 1)
    return ((x - mean) / 0.22).unsqueeze(0)


net = SmallCNN().to("cuda")
net.eval()
image = np.random.default_rng(0).integers(0, 255, (16, 16, 3), dtype=np.uint8)
batch = preprocess(image)
batch.to("cuda")
with torch.inference_mode():
    print(net(batch).argmax(1).item())
