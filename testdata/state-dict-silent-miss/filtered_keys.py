# Only the keys that both have are taken: there are none.
import torch
from torch import nn


def load_matching(model, path):
    pretrained = torch.load(path, map_location="cpu")
    own = model.state_dict()
    pretrained = {k: v for k, v in pretrained.items() if k in own}
    own.update(pretrained)  # expect: state-dict-silent-miss
    model.load_state_dict(own)


torch.save(nn.Linear(4, 2).cuda().state_dict(), "pretrained.pth")
model = nn.Linear(4, 2)
model = nn.DataParallel(model)
load_matching(model, "pretrained.pth")
model.cuda()
