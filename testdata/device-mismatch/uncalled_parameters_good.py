"""Nobody calls these functions here: what they are given is not known, but it is the same wherever it is asked."""
import configparser
import types

import torch
from torch import nn


def by_flag(accelerated):
    model = nn.Linear(2, 2)
    if accelerated:
        model.cuda()
    evaluate_by_flag(model, accelerated)
    evaluate_by_keyword(model, **{"accelerated": accelerated})

    def evaluate():
        images = torch.ones(2, 2)
        if accelerated:
            images = images.cuda()
        return model(images)

    evaluate()


def evaluate_by_flag(model, flag):
    images = torch.ones(2, 2)
    if flag:
        images = images.cuda()
    model(images)


def evaluate_by_keyword(model, **options):
    images = torch.ones(2, 2)
    if options["accelerated"]:
        images = images.cuda()
    model(images)


def by_both(first, second):
    model = nn.Linear(2, 2)
    both = first and second
    if both:
        model.cuda()
    evaluate_by_flag(model, both)


def by_member(args):
    model = nn.Linear(2, 2)
    if not args.no_cuda and torch.cuda.is_available():
        model.cuda()
    evaluate_by_member(model, args)


def evaluate_by_member(model, settings):
    images = torch.ones(2, 2)
    on_gpu = not settings.no_cuda and torch.cuda.is_available()
    if on_gpu:
        images = images.cuda()
    model(images)


def by_text(args):
    device_kind = args.device
    model = nn.Linear(2, 2)
    if device_kind == "gpu":
        model.cuda()
    for epoch in range(args.epochs):
        if epoch % args.every == 0:
            evaluate_by_text(model, args)


def evaluate_by_text(model, args):
    images = torch.ones(2, 2)
    if args.device == "gpu":
        images = images.cuda()
    model(images)


def by_method(config):
    wanted = config.get("train", "gpu")
    model = nn.Linear(2, 2)
    if wanted:
        model.cuda()
    evaluate_by_method(model, config)


def evaluate_by_method(model, config):
    images = torch.ones(2, 2)
    if config.get("train", "gpu"):
        images = images.cuda()
    model(images)


def by_assigned_member(gpu, args):
    args.gpu = gpu
    if args.gpu is None:
        args.gpu = 0
    args.kind = "big" if args.large else "small"
    model = nn.Linear(2, 2)
    if args.gpu is not None:
        model.cuda(args.gpu)
    if args.kind == "big":
        model.cpu()
    images = torch.ones(2, 2).cuda(args.gpu)
    if args.large:
        images = images.cpu()
    model(images)


def by_result():
    config = configparser.ConfigParser()
    model = nn.Linear(2, 2)
    prepare_by_result(model, config)
    evaluate_by_method(model, config)


def prepare_by_result(model, config):
    if config.get("train", "gpu"):
        model.cuda()


class Trainer:
    def __init__(self, args):
        self.args = args
        self.accelerated = args.cuda
        self.model = nn.Linear(2, 2)
        if args.cuda:
            self.model.cuda()

    def step(self):
        images = torch.ones(2, 2)
        if self.args.cuda:
            images = images.cuda()
        self.model(images)

    def evaluate(self):
        images = torch.ones(2, 2)
        if self.accelerated:
            images = images.cuda()
        self.model(images)


def by_object(args):
    trainer = Trainer(args)
    trainer.step()
    trainer.evaluate()


def settings(gpu):
    return types.SimpleNamespace(no_cuda=not gpu, cuda=gpu, large=not gpu, epochs=2, every=1,
                                 device="gpu" if gpu else "cpu", get=lambda section, name: gpu)


if __name__ == "__main__":
    for on_gpu in (True, False):
        globals()["by_flag"](on_gpu)
        globals()["by_both"](True, on_gpu)
        for function in ("by_member", "by_text", "by_method", "by_object"):
            globals()[function](settings(on_gpu))
        globals()["by_assigned_member"](None, settings(True))
