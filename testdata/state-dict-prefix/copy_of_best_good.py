# The best checkpoint is a copy of a file that holds the keys of the bare model.
import os
import shutil
import tempfile

import torch
import torch.nn as nn

folder = tempfile.mkdtemp()


def save_checkpoint(state, is_best):
    path = os.path.join(folder, "checkpoint.pth.tar")
    torch.save(state, path)
    if is_best:
        shutil.copyfile(path, os.path.join(folder, "model_best.pth.tar"))


def pretrain(epochs):
    model = nn.Linear(4, 2).cuda()
    best = 0.0
    for epoch in range(epochs):
        accuracy = model(torch.randn(2, 4).cuda()).abs().mean().item()
        is_best = accuracy > best
        best = max(accuracy, best)
        save_checkpoint({"epoch": epoch + 1, "state_dict": model.state_dict()}, is_best)


def finetune():
    model = nn.DataParallel(nn.Linear(4, 2)).cuda()
    best = os.path.join(folder, "model_best.pth.tar")
    if os.path.isfile(best):
        checkpoint = torch.load(best)
        model.module.load_state_dict(checkpoint["state_dict"])
    return model(torch.randn(2, 4))


pretrain(2)
finetune()
