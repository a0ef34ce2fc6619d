"""Nobody calls these functions here; whatever they are given, some of it goes wrong."""
import torch
from torch import nn


def by_flag(accelerated):
    model = nn.Linear(2, 2)
    if accelerated:
        model.cuda()
    evaluate_by_flag(model, accelerated)


def evaluate_by_flag(model, flag):
    images = torch.ones(2, 2)
    labels = torch.ones(2, 2)
    if flag:
        labels = labels.cuda()
    model(images)  # expect: device-mismatch
    return labels


def by_member(args):
    model = nn.Linear(2, 2)
    if args.cuda:
        model.cuda()
    evaluate_by_member(model, args)


def evaluate_by_member(model, args):
    images = torch.ones(2, 2)
    if args.cuda:
        images = images.cuda()
    scores = model(images)
    scores + torch.ones(2, 2)  # expect: device-mismatch


def by_assigned_member(args):
    args.gpu = 1
    model = nn.Linear(2, 2).to(f"cuda:{args.gpu}")
    evaluate_by_assigned_member(model, args)


def evaluate_by_assigned_member(model, args):
    images = torch.ones(2, 2).cuda(0)
    if args.gpu == 1:
        model(images)  # expect: device-mismatch


if __name__ == "__main__":
    globals()["by_flag"](True)
