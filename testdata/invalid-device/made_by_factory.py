# A function makes the default of a data class's field.
from dataclasses import dataclass, field

import torch
from torch import nn


def best():
    return "gpu" if torch.cuda.is_available() else "cpu"


@dataclass
class Config:
    width: int = 4
    device: str = field(default_factory=best)


config = Config(width=8)
layer = nn.Linear(config.width, 2).to(config.device)  # expect: invalid-device
