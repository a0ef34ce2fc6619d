# The mean and deviation of a normalisation stay where they were made.
import torch
from torch import nn


class Normalize(nn.Module):
    def __init__(self, mean, std):
        super().__init__()
        self.mean = torch.tensor(mean).view(-1, 1, 1)  # expect: unregistered-state
        self.std = torch.tensor(std).view(-1, 1, 1)  # expect: unregistered-state

    def forward(self, img):
        return (img - self.mean) / self.std


device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")
model = nn.Sequential(Normalize([0.485, 0.456, 0.406], [0.229, 0.224, 0.225]), nn.Conv2d(3, 4, 3)).to(device).eval()
content = torch.rand(1, 3, 6, 6, device=device)
model(content)
