# The usual orders of wrapping and moving.
import torch
import torch.nn as nn


def build():
    return nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 1))


x = torch.randn(6, 4)
nn.DataParallel(build()).cuda()(x)
nn.DataParallel(build().cuda())(x.cuda())
nn.DataParallel(build()).to("cuda:0")(x)
nn.DataParallel(build(), device_ids=[2, 1]).to("cuda:2")(x)
nn.DataParallel(build(), device_ids=range(torch.cuda.device_count())).cuda()(x)
torch.cuda.set_device(1)
nn.DataParallel(build().cuda(), device_ids=[1, 0], output_device=0)(x)
