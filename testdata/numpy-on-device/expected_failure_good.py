# What a program wants to fail is no mistake, whoever is called.
import torch

x = torch.ones(3, device="cuda")


def as_array(t):
    return t.numpy()


for convert in (as_array, lambda t: t.detach().numpy()):
    try:
        convert(x)
    except TypeError as error:
        print(error)
    else:
        raise AssertionError("a CUDA tensor became an array")

try:
    as_array(x)
    assert False
except TypeError:
    pass
