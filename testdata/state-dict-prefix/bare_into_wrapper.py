# A bare checkpoint is loaded into the wrapper.
import torch
from torch import nn


def build_model():
    return nn.Sequential(nn.Conv2d(3, 4, 3), nn.ReLU(), nn.Conv2d(4, 1, 1))


def train(path):
    model = build_model().cuda()
    optimizer = torch.optim.Adam(model.parameters())
    model(torch.randn(2, 3, 5, 5).cuda()).mean().backward()
    optimizer.step()
    torch.save(model.state_dict(), path)


def evaluate(path):
    model = build_model()
    model = nn.DataParallel(model, device_ids=[0, 1]).cuda()
    model.load_state_dict(torch.load(path))  # expect: state-dict-prefix
    model.eval()
    with torch.no_grad():
        return model(torch.randn(2, 3, 5, 5).cuda())


train("segmentation.pth")
evaluate("segmentation.pth")
