# A decorator of the program moves what a function returns to the GPU.
import functools

import torch


def returns_on(where):
    def decorate(function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            return function(*args, **kwargs).to(where)

        return wrapper

    return decorate


def on_host(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs).cpu()

    return wrapper


@returns_on("cuda")
def doubled(x):
    return x * 2


@on_host
def halved(x):
    return x.cuda() / 2


print(halved(torch.rand(3)).numpy())
print(doubled(torch.rand(3)).numpy())  # expect: numpy-on-device
