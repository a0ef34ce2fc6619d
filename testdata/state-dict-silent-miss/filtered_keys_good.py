# The wrapped model is given keys of the wrapped model.
import torch
from torch import nn


def load_matching(model, path):
    pretrained = torch.load(path, map_location="cpu")
    own = model.state_dict()
    pretrained = {k: v for k, v in pretrained.items() if k in own}
    own.update(pretrained)
    model.load_state_dict(own)


torch.save(nn.Linear(4, 2).cuda().state_dict(), "pretrained.pth")
model = nn.Linear(4, 2)
load_matching(model, "pretrained.pth")
model = nn.DataParallel(model)
model.cuda()
