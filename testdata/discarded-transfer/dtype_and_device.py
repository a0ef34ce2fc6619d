# Type and device are given, and the result is dropped.
import torch


def preprocess(image, device):
    image.to(device, dtype=torch.float32, non_blocking=True)  # expect: discarded-transfer
    return image.unsqueeze(0)


model = torch.nn.Conv2d(3, 2, 3).to("cuda:1").eval()
model(preprocess(torch.rand(3, 5, 5), "cuda:1"))  # expect: device-mismatch
