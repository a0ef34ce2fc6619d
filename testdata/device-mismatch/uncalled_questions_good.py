"""Questions about what nobody here knows, asked in several ways: the answers fit together."""
import types

import torch
from torch import nn


def by_number(gpu):
    model = nn.Linear(2, 2)
    if gpu >= 0:
        model.cuda()
    evaluate_by_number(model, gpu)
    evaluate_by_other_number(model, gpu)


def evaluate_by_number(model, gpu):
    images = torch.ones(2, 2)
    if gpu > -1:
        images = images.cuda()
    model(images)


def evaluate_by_other_number(model, gpu):
    if gpu < 0:
        return
    model(torch.ones(2, 2).cuda())


def by_text(kind):
    model = nn.Linear(2, 2)
    if kind == "gpu":
        model.cuda()
    evaluate_by_text(model, kind)


def evaluate_by_text(model, kind):
    images = torch.ones(2, 2)
    if kind == "cpu":
        model(images)
    elif kind == "gpu":
        model(images.cuda())


def by_membership(mode):
    model = nn.Linear(2, 2)
    if mode in ("gpu", "both"):
        model.cuda()
    evaluate_by_membership(model, mode)


def evaluate_by_membership(model, mode):
    images = torch.ones(2, 2)
    if mode in ("gpu", "both"):
        images = images.cuda()
    model(images)


def on_gpu(args):
    return args.gpu is not None and torch.cuda.is_available()


def by_helper(args):
    model = nn.Linear(2, 2)
    if on_gpu(args):
        model.cuda()
    evaluate_by_helper(model, args)


def evaluate_by_helper(model, args):
    images = torch.ones(2, 2)
    if on_gpu(args):
        images = images.cuda()
    model(images)


def by_attribute(args):
    model = nn.Linear(2, 2)
    if getattr(args, "cuda", False):
        model.cuda()
    use = bool(args.cuda)
    images = torch.ones(2, 2)
    if use:
        images = images.cuda()
    model(images)


def by_all(args):
    model = nn.Linear(2, 2)
    if any(args.gpus) and len(args.gpus) > 1:
        model.cuda()
    evaluate_by_all(model, args)


def evaluate_by_all(model, args):
    images = torch.ones(2, 2)
    if any(args.gpus) and len(args.gpus) > 1:
        images = images.cuda()
    model(images)


def by_default(args, use=None):
    if use is None:
        use = args.cuda
    model = nn.Linear(2, 2)
    if use:
        model.cuda()
    evaluate_by_default(model, use)


def evaluate_by_default(model, use=None):
    images = torch.ones(2, 2)
    if use is None or use is False:
        model(images)
    elif use:
        model(images.cuda())


def by_options(**options):
    model = nn.Linear(2, 2)
    if options.get("cuda"):
        model.cuda()
    evaluate_by_options(model, **options)


def evaluate_by_options(model, **options):
    images = torch.ones(2, 2)
    if options.get("cuda"):
        images = images.cuda()
    model(images)


def by_table(flag):
    table = {"cuda": flag, "size": 2}
    model = nn.Linear(2, 2)
    if table["cuda"]:
        model.cuda()
    report(table)
    images = torch.ones(2, 2)
    if table["cuda"]:
        images = images.cuda()
    model(images)


USED = False


def choose(args):
    global USED
    USED = args.cuda


def by_global(args):
    choose(args)
    model = nn.Linear(2, 2)
    if USED:
        model.cuda()
    images = torch.ones(2, 2)
    if USED:
        images = images.cuda()
    model(images)


class Solver:
    def __init__(self, options):
        self.options = options
        self.model = self.place(nn.Linear(2, 2))

    @property
    def on_gpu(self):
        return self.options.gpu is not None

    def place(self, value):
        return value.cuda() if self.on_gpu else value

    def step(self):
        images = torch.ones(2, 2)
        if self.on_gpu:
            images = images.cuda()
        self.model(images)


def by_property(options):
    Solver(options).step()


def settings(gpu):
    return types.SimpleNamespace(gpu=0 if gpu else None, cuda=gpu, gpus=[gpu, gpu])


if __name__ == "__main__":
    report = print
    for given in (True, False):
        globals()["by_number"](0 if given else -1)
        globals()["by_text"]("gpu" if given else "cpu")
        globals()["by_membership"]("both" if given else "none")
        globals()["by_options"](cuda=given)
        globals()["by_table"](given)
        for function in ("by_helper", "by_attribute", "by_all", "by_default", "by_global", "by_property"):
            globals()[function](settings(given))
