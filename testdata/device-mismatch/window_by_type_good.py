# A window that is kept as long as the images have its type, which says where they are.
import torch
from torch import nn
from torch.nn import functional as F


def make_window(channels):
    return torch.ones(channels, 1, 3, 3) / 9


class Similarity(nn.Module):
    def __init__(self):
        super().__init__()
        self.channels = 1
        self.window = make_window(1)

    def forward(self, image):
        channels = image.size(1)
        if channels == self.channels and self.window.data.type() == image.data.type():
            window = self.window
        else:
            window = make_window(channels)
            if image.is_cuda:
                window = window.cuda(image.get_device())
            window = window.type_as(image)
            self.window = window
            self.channels = channels
        return F.conv2d(image, window, padding=1, groups=channels).mean()


similarity = Similarity()
images = torch.rand(2, 1, 8, 8).to("cuda:0")
for _ in range(2):
    print(similarity(images).item())
