# The text of a device begins with what is written in it, whichever process runs: each question
# about it has one answer.
import os

import torch
import torch.nn as nn

rank = int(os.environ.get("LOCAL_RANK", 0))
device = f"cuda:{rank}"
net = nn.Linear(4, 4).to(device)


def batch():
    return torch.zeros(2, 4)


compared = batch()
if device != "cpu":
    compared = compared.to(device)
net(compared)

begins = batch()
if device.startswith("cuda"):
    begins = begins.to(device)
net(begins)

contains = batch()
if "cpu" not in device:
    contains = contains.to(device)
net(contains)

cut = batch()
if device[:4] == "cuda":
    cut = cut.to(device)
net(cut)

divided = batch()
if device.split(":")[0] == "cuda":
    divided = divided.to(device)
net(divided)
