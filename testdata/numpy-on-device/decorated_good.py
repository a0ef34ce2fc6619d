# Decorators of the program move what a function returns.
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


@returns_on("cpu")
def doubled(x):
    return x.cuda() * 2


@on_host
def halved(x):
    return x.cuda() / 2


print(doubled(torch.rand(3)).numpy(), halved(torch.rand(3)).numpy())
