# `module` is asked of a model that was never wrapped.
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


model = build(parallel=False)
print(list(model.module.features.parameters()))  # expect: data-parallel-attribute
