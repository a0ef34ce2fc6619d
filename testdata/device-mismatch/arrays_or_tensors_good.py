# A helper that takes arrays and tensors: nobody calls it with arrays here.
import os

import numpy as np
import torch


def to_tensor(x):
    if isinstance(x, np.ndarray):
        return torch.from_numpy(x).float(), True
    return x, False


def rotate(points, angle):
    points, is_array = to_tensor(points)
    angle, _ = to_tensor(angle)
    turned = torch.matmul(points, torch.cos(angle))
    return turned.numpy() if is_array else turned


def load(path):
    if os.path.isfile(path):
        return torch.load(path, map_location='cuda')
    return torch.ones(3, 3).cuda()


boxes = load('boxes.pt')
rotate(torch.ones(4, 3).cuda(), boxes)
rotate(torch.cat([boxes, torch.ones(1, 3).cuda()]), -boxes)
