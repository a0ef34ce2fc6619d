"""The native half for the PyTorch of this interpreter: shipped, kept from before, or compiled now."""

import contextlib
import ctypes
import fcntl
import glob
import hashlib
import json
import os
import shutil
import stat
import sys
from typing import Callable, Iterator, List, Optional

from . import __version__, build, stubs
from .torch_install import TorchInstall

# Of CPU builds; newer releases than those that were tested are tried as well.
OLDEST_RELEASE = (1, 13)

_SOURCE_FOLDERS = ("rules", "runtime/core", "runtime/devices", "runtime/cuda",
                   "runtime/parallel/common", "runtime/torch")
_SOURCE_SUFFIXES = (".cc", ".h", ".inc", ".map")


class UnsupportedTorch(RuntimeError):
    """This PyTorch has no virtual GPUs; the text says what to do."""


def _cache_folder() -> str:
    chosen = os.environ.get("PLACECHECK_CACHE")
    if chosen:
        return os.path.join(chosen, "native")
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(base, "placecheck", "native")


def private_folder() -> str:
    """The cache's, made if need be."""
    folder = _cache_folder()
    _make_private(folder)
    return folder


def _make_private(folder: str) -> None:
    """Libraries are loaded from here: nobody else may write to it."""
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
    except OSError as error:
        raise RuntimeError(f"placecheck: {folder}, where compiled libraries are kept, cannot be made "
                           f"({error.strerror}); set PLACECHECK_CACHE to a folder of your own"
                           ) from error
    status = os.stat(folder)
    if status.st_uid != os.getuid() or status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise RuntimeError(f"placecheck: {folder} can be written to by others; remove it, or set "
                           "PLACECHECK_CACHE to a folder of your own")


def source_files(root: str) -> List[str]:
    """What libraries are compiled from, in a checkout and where it is installed: wheels bring these."""
    return sorted(path for folder in _SOURCE_FOLDERS
                  for path in glob.glob(os.path.join(root, folder, "**", "*"), recursive=True)
                  if path.endswith(_SOURCE_SUFFIXES))


def source_digest(root: str) -> str:
    """Of all that is compiled, and of how; the same in a checkout and where it is installed."""
    digest = hashlib.sha256(__version__.encode())
    for path in source_files(root):
        digest.update(os.path.relpath(path, root).encode())
        with open(path, "rb") as source:
            digest.update(source.read())
    for module in (build, stubs):
        with open(module.__file__, "rb") as source:
            digest.update(source.read())
    return digest.hexdigest()[:16]


def _check_release(torch: TorchInstall) -> None:
    if torch.release < OLDEST_RELEASE:
        raise UnsupportedTorch(
            f"placecheck: virtual GPUs need PyTorch {'.'.join(map(str, OLDEST_RELEASE))} or newer, "
            f"but {torch.folder} is {torch.version}")
    if torch.is_cuda_build and torch.release < (2, 6):
        raise UnsupportedTorch(
            f"placecheck: of PyTorch {torch.version} only CPU builds have virtual GPUs; CUDA builds "
            "have them from 2.6 on")


@contextlib.contextmanager
def _locked(path: str) -> Iterator[None]:
    """One process builds; the others wait for it and find its result."""
    with open(path, "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _prepared(name: str, compile_into: Callable[[str], None]) -> str:
    """The folder of this name that was shipped, kept from before, or is compiled now."""
    here = os.path.dirname(os.path.realpath(__file__))
    shipped = os.path.join(here, "native", name)
    if os.path.exists(os.path.join(shipped, build.MANIFEST)):
        return shipped
    cache = _cache_folder()
    result = os.path.join(cache, f"{name}-{source_digest(build.source_root())}")
    if not os.path.exists(os.path.join(result, build.MANIFEST)):
        private_folder()
        with _locked(os.path.join(cache, ".lock")):
            # Whoever was killed while it compiled left these.
            for left in glob.glob(os.path.join(glob.escape(cache), build.SCRATCH_PREFIX + "*")):
                shutil.rmtree(left, ignore_errors=True)
            if not os.path.exists(os.path.join(result, build.MANIFEST)):
                compile_into(result)
    return result


def prepare(torch: TorchInstall) -> str:
    """The folder with the libraries for `torch`; compiles them where there are none yet."""
    chosen = os.environ.get("PLACECHECK_NATIVE")
    if chosen:
        return chosen
    _check_release(torch)
    return _prepared(f"torch-{torch.version}-{torch.fingerprint}",
                     lambda result: build.build_for(torch, result, _say))


def library_for_cuda() -> str:
    """What a program that links the CUDA runtime, cuBLAS or NCCL preloads."""
    folder = _prepared("cuda", lambda result: build.build_for_cuda_programs(result, _say))
    return os.path.join(folder, build.CUDA_LIBRARY)


def library_for_real_cuda() -> str:
    """What programs on real GPUs preload: it judges their calls of CUDA, cuBLAS and NCCL."""
    folder = _prepared("real", lambda result: build.build_for_real_cuda(result, _say))
    return os.path.join(folder, build.REAL_LIBRARY)


def library_of_checkout(name: str, linked_with: str = "") -> Optional[str]:
    """The library of this name that Bazel built (PLACECHECK_LIBRARIES); where `linked_with` is given, only
    if it was linked with the library of that SONAME."""
    for folder in os.environ.get("PLACECHECK_LIBRARIES", "").split(os.pathsep):
        path = os.path.join(folder, name)
        if folder and os.path.exists(path):
            with open(path, "rb") as content:
                if not linked_with or linked_with.encode() + b"\0" in content.read():
                    return path
    return None


def library_for_debian(soname: str) -> Optional[str]:
    """The checkout's library for Debian's libtorch_cpu, whose SONAME has a release in it. Those of other
    builds are the same in any release."""
    if not soname.startswith("libtorch_cpu.so."):
        return None
    return library_of_checkout(build.TORCH_LIBRARY, soname)


def library_paths(torch: TorchInstall) -> List[str]:
    """The libraries in the order in which they are loaded, PyTorch's own among them."""
    path = torch.library("libtorch_cpu.so")
    of_checkout = library_for_debian(os.path.basename(os.readlink(path)) if os.path.islink(path) else "")
    if of_checkout is not None:
        own = [torch.library(name) for name in ("libc10.so", "libtorch_cpu.so", "libtorch.so")]
        return [*own, of_checkout]
    folder = prepare(torch)
    with open(os.path.join(folder, build.MANIFEST), encoding="utf-8") as manifest:
        return [os.path.join(folder, entry["own"]) if "own" in entry
                else torch.library(entry["torch"]) for entry in json.load(manifest)]


def load(torch: TorchInstall) -> List[ctypes.CDLL]:
    """Loads the libraries so that later ones, and PyTorch's bindings, find their symbols."""
    return [ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL) for path in library_paths(torch)]


def find_function(libraries: List[ctypes.CDLL], name: str):
    """A function of the native half, from whichever library has it."""
    for library in reversed(libraries):
        if hasattr(library, name):
            return getattr(library, name)
    raise RuntimeError(f"placecheck: the native libraries have no {name}: they are of another "
                       "version; remove the folder that PLACECHECK_CACHE or ~/.cache/placecheck names")
