"""Gives this process virtual GPUs: before `import torch`, the native half is loaded; when torch's own
modules are imported, what they lack is added to them.

A process is activated by `placecheck-run` (which every child inherits through the environment), by
`pytest --virtual-gpus`, or by calling activate().
"""

import atexit
import importlib.abc
import importlib.machinery
import os
import sys
from typing import Callable, Dict

from . import native, torch_install

# Set for every process that is to have virtual GPUs.
ENVIRONMENT = "PLACECHECK_VIRTUAL_GPUS"


class _PatchingFinder(importlib.abc.MetaPathFinder):
    """Calls a function around the execution of some of torch's modules."""

    def __init__(self, before: Dict[str, Callable], after: Dict[str, Callable]):
        self._before = before
        self._after = after

    def find_spec(self, name, path, target=None):
        if name not in self._before and name not in self._after:
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec is None or spec.loader is None:
            return None
        execute = spec.loader.exec_module

        def exec_module(module):
            if name in self._before:
                self._before[name]()
            execute(module)
            if name in self._after:
                self._after[name](module)

        spec.loader.exec_module = exec_module
        return spec


def _patch_cuda(cuda) -> None:
    """The number of devices comes from the virtual ones, not from a driver that is installed."""
    cuda._device_count_nvml = lambda: -1


def _start_provenance(libraries, torch) -> None:
    """Errors say where their operands came from; PLACECHECK_PROVENANCE=0 leaves that out."""
    if os.environ.get("PLACECHECK_PROVENANCE") == "0" or sys.version_info < (3, 9):
        return
    start = native.find_function(libraries, "placecheck_start_provenance")
    own = os.path.dirname(os.path.realpath(__file__))
    folders = [torch.folder, own, os.path.dirname(os.__file__) + "/threading.py"]
    start(":".join(folders).encode())
    atexit.register(native.find_function(libraries, "placecheck_stop_provenance"))


def activate() -> None:
    """Once a process, before torch is imported; without a torch to import nothing happens."""
    if any(isinstance(finder, _PatchingFinder) for finder in sys.meta_path):
        return
    if "torch" in sys.modules:
        raise RuntimeError("placecheck: torch is imported already; start the program with "
                           "`placecheck-run -- ...`, or call placecheck.activate.activate() first")
    torch = torch_install.find()
    if torch is None:
        return
    libraries = native.load(torch)
    _start_provenance(libraries, torch)
    before, after = {}, {"torch.cuda": _patch_cuda}
    sys.meta_path.insert(0, _PatchingFinder(before, after))


def is_wanted() -> bool:
    return os.environ.get(ENVIRONMENT) == "1"


def activate_or_exit() -> None:
    """For the start of an interpreter, where an exception would only be printed: ends it instead, so
    that nothing runs on other devices than were asked for."""
    try:
        activate()
    except Exception as error:  # pylint: disable=broad-except
        print(error, file=sys.stderr, flush=True)
        os._exit(2)
