"""Gives this process virtual GPUs: when torch is imported, the native half is loaded before it, and what
torch's own modules lack is added to them. A process that never imports torch pays nothing.

A process is activated by `placecheck-run` (every child inherits that through the environment), by
`pytest --virtual-gpus`, or by calling activate().
"""

import atexit
import ctypes
import functools
import importlib.abc
import importlib.machinery
import os
import sys
from typing import Callable, Dict, Iterator, List

from . import distributed, driver, graphs, native, sharing, torch_install

# Set for every process that is to have virtual GPUs.
ENVIRONMENT = "PLACECHECK_VIRTUAL_GPUS"

_Patches = Dict[str, List[Callable]]


class _PatchingFinder(importlib.abc.MetaPathFinder):
    """Loads the native half when torch is found, and calls functions around the execution of some of
    torch's modules."""

    def __init__(self):
        self._before: _Patches = {}
        self._after: _Patches = {}
        self._is_loaded = False

    def find_spec(self, name, path=None, target=None):
        if name != "torch" and name not in self._before and name not in self._after:
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec is None or spec.loader is None or not spec.origin:
            return None
        execute = spec.loader.exec_module

        def exec_module(module):
            if name == "torch":
                self._load(torch_install.at(os.path.dirname(spec.origin)))
            for patch in self._before.get(name, []):
                patch()
            execute(module)
            for patch in self._after.get(name, []):
                patch(module)

        spec.loader.exec_module = exec_module
        return spec

    def _load(self, torch) -> None:
        if self._is_loaded or torch is None:
            return
        self._is_loaded = True
        libraries = native.load(torch)
        _start_provenance(libraries, torch)
        if torch.is_cuda_build:
            self._before["torch.cuda"] = [graphs.install_before_cuda, driver.install_before_cuda]
            self._after["torch"] = [driver.install_after_torch, sharing.install]
        else:
            from . import cpu_build

            self._before["torch.cuda"] = [cpu_build.install_before_cuda]
            self._after["torch"] = [cpu_build.install_after_torch]
        self._after["torch.utils.data.dataloader"] = [_watch_batches(libraries)]
        self._after["torch._ops"] = [_watch_extensions(libraries)]
        if torch.release >= (2, 0):
            self._after.setdefault("torch", []).append(_compile_without_triton)
        self._after["torch.distributed.distributed_c10d"] = [distributed.install]


def _watch_extensions(libraries) -> Callable:
    """Operators of extensions run on the CPU where they can: the native half hears of each shared library that
    is loaded (runtime/torch/virtual_cuda/extension_operators.h)."""
    before = native.find_function(libraries, "placecheck_before_extension")
    after = native.find_function(libraries, "placecheck_after_extension")

    def watched(load):
        @functools.wraps(load)
        def load_extension(*arguments, **options):
            before()
            try:
                return load(*arguments, **options)
            finally:
                after()

        return load_extension

    def install(ops):
        ops._Ops.load_library = watched(ops._Ops.load_library)
        loader = importlib.machinery.ExtensionFileLoader
        for name in ("create_module", "exec_module"):
            setattr(loader, name, watched(getattr(loader, name)))

    return install


def _tensors_in(batch) -> Iterator:
    """The tensors of a batch, as far as DataLoader itself looks for them."""
    if isinstance(batch, dict):
        batch = batch.values()
    elif not isinstance(batch, (list, tuple)):
        if type(batch).__module__ == "torch" and hasattr(batch, "_cdata"):
            yield batch
        return
    for part in batch:
        yield from _tensors_in(part)


def _watch_batches(libraries) -> Callable:
    """What a DataLoader's processes make has its place since the line that takes it from the loader."""
    receive = native.find_function(libraries, "placecheck_receive_tensor")
    receive.argtypes = [ctypes.c_void_p]
    receive.restype = None

    def install(dataloader):
        iterator = dataloader._MultiProcessingDataLoaderIter
        take = iterator.__next__

        @functools.wraps(take)
        def take_batch(self):
            batch = take(self)
            for tensor in _tensors_in(batch):
                receive(tensor._cdata)
            return batch

        iterator.__next__ = take_batch

    return install


def _compile_without_triton(torch) -> None:
    """torch.compile's default backend writes kernels for GPUs; another one runs the same graphs."""
    original = torch.compile
    told = []

    @functools.wraps(original)
    def compile_with_a_backend_that_runs(*arguments, **options):
        if options.get("backend", "inductor") == "inductor":
            options["backend"] = "aot_eager"
            for name in ("mode", "options"):
                options.pop(name, None)
            if not told:
                told.append(True)
                print("placecheck: torch.compile's backend 'inductor' is not supported on virtual "
                      "GPUs; 'aot_eager' runs instead", file=sys.stderr)
        return original(*arguments, **options)

    torch.compile = compile_with_a_backend_that_runs


def _start_provenance(libraries, torch) -> None:
    """Errors say where their operands came from; PLACECHECK_PROVENANCE=0 leaves that out."""
    own = os.path.dirname(os.path.realpath(__file__))
    threads = os.path.join(os.path.dirname(os.__file__), "threading.py")
    set_folders = native.find_function(libraries, "placecheck_set_library_folders")
    set_folders(":".join([torch.folder, own, threads]).encode())
    if os.environ.get("PLACECHECK_PROVENANCE") != "0" and sys.version_info >= (3, 9):
        native.find_function(libraries, "placecheck_start_provenance")()
    atexit.register(native.find_function(libraries, "placecheck_stop_provenance"))


def activate() -> None:
    """Once a process, before torch is imported."""
    if any(isinstance(finder, _PatchingFinder) for finder in sys.meta_path):
        return
    if "torch" in sys.modules:
        raise RuntimeError("placecheck: torch is imported already; start the program with "
                           "`placecheck-run -- ...`, or call placecheck.activate.activate() first")
    sys.meta_path.insert(0, _PatchingFinder())


def is_wanted() -> bool:
    return os.environ.get(ENVIRONMENT) == "1"
