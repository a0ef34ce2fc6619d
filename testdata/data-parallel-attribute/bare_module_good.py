# `module` is asked of models that are wrapped only.
import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.features = torch.nn.Linear(4, 2)


def build(parallel):
    model = Net().to("cuda:0")
    if parallel:
        model = torch.nn.DataParallel(model)
    return model


def core_of(model):
    return model.module if hasattr(model, "module") else model


print(core_of(build(parallel=False)).features, core_of(build(parallel=True)).features)
model = build(parallel=False)
print(list(getattr(model, "module", model).features.parameters()))
