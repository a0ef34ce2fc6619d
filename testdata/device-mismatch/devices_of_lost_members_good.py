# The members are set by their names in a loop; the device of one of them is asked for its type.
import math

import torch


def make_device(device):
    if isinstance(device, str):
        device = torch.device(device)
    if device.type == "cuda" and device.index is None:
        device = torch.device(f"cuda:{torch.cuda.current_device()}")
    return device


class Transform:
    def __init__(self, matrix, device="cpu"):
        self.device = make_device(device)
        self.matrix = matrix.to(self.device)


class Properties:
    def __init__(self, **kwargs):
        tensors = {}
        for name, value in kwargs.items():
            if isinstance(value, torch.Tensor):
                tensors[name] = value
            else:
                setattr(self, name, value)
        for name, value in tensors.items():
            setattr(self, name, value)

    def transform(self, **kwargs):
        rotation = kwargs.get("rotation", self.rotation)
        return Transform(rotation, device=rotation.device)


class Scale:
    # Only a tensor as the factor decides the device.
    def __init__(self, factor, offset=0.5):
        self.device = torch.device("cuda" if torch.is_tensor(factor) else "cpu")
        if offset is None:
            self.device = torch.device("cuda")
        self.factors = torch.full((3,), 2.0, device=self.device)


eye = torch.rand(3, 3)
camera = Properties(rotation=eye, scale=1.0)
moved = camera.transform()
axes = torch.eye(3, device=moved.device)
print((axes - eye).norm())
print(Scale(2.0).factors * torch.ones(3))
print(Scale(-math.pi / 2).factors * torch.ones(3))
