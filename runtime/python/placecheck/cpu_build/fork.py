"""CUDA does not outlive a fork: a child of a process that has used it gets PyTorch's error."""

import os

from . import calls

_is_watching = False
_is_in_bad_fork = False


def is_in_bad_fork() -> bool:
    return _is_in_bad_fork


def _forget_initialization() -> None:
    """The bindings have to ask torch.cuda again, which refuses."""
    for_cuda = calls.find_binding("_ZN5torch5utils22set_requires_cuda_initEb")  # until 2.1
    if for_cuda is not None:
        for_cuda(True)
        return
    for_device = calls.find_binding("_ZN5torch5utils24set_requires_device_initEN3c1010DeviceTypeEb")
    if for_device is not None:
        for_device(1, True)


def _after_fork() -> None:
    global _is_in_bad_fork
    _is_in_bad_fork = True
    _forget_initialization()


def watch() -> None:
    """From here on CUDA counts as used: its devices were counted, or it was initialized."""
    global _is_watching
    if not _is_watching:
        _is_watching = True
        os.register_at_fork(after_in_child=_after_fork)
