"""What a program that is no script preloads for its virtual GPUs: the libraries that stand for the CUDA
runtime, cuBLAS and NCCL, and those that give its libtorch devices."""

import os
import mmap
import re
import subprocess
import sys
from typing import Dict, List, Optional

from . import build, native, stubs, torch_install

_CUDA = re.compile(r"lib(cudart|cublas|nccl)\.so")


def _is_elf(path: str) -> bool:
    with open(path, "rb") as program:
        return program.read(4) == b"\x7fELF"


def _libraries_of(program: str) -> Dict[str, str]:
    """The paths of the libraries that are loaded with a program, by name; "" where one is missing."""
    listed = subprocess.run(["ldd", program], capture_output=True, text=True, check=False).stdout
    found = re.findall(r"^\s*(\S+) => (not found|\S+)", listed, re.MULTILINE)
    return {name: "" if path == "not found" else path for name, path in found}


def _libtorch_among(linked: Dict[str, str]) -> Optional[str]:
    return next((name for name, path in linked.items()
                 if path and name.startswith(("libtorch_cpu.so", "libc10.so"))), None)


def _for_libtorch(soname: str, torch: torch_install.TorchInstall) -> List[str]:
    of_checkout = native.library_for_debian(soname)
    if of_checkout is not None:
        return [of_checkout]
    # The system's own libraries, which have no folder here, are found by their names.
    return [path for path in native.library_paths(torch) if os.path.isabs(path)]


def _needed_beside(torch: torch_install.TorchInstall, program: str,
                   linked: Dict[str, str]) -> Dict[str, str]:
    """Of `linked`, what the program and its own libraries ask for: not what a CUDA build of libtorch brings,
    whose stand-ins are preloaded."""
    askers = [program, *(path for name, path in linked.items()
                         if path and not name.startswith(("libcu", "libnv", "libnccl"))
                         and not os.path.realpath(path).startswith(torch.folder + os.sep))]
    needed = stubs.needed(*askers)
    return {name: path for name, path in linked.items()
            if name in needed and not name.startswith("libcudart")}


def _for_cuda(linked: Dict[str, str], environment: Dict[str, str]) -> List[str]:
    names = [name for name in linked if _CUDA.match(name)]
    if not names:
        return []
    library = native.library_of_checkout(build.CUDA_LIBRARY) or native.library_for_cuda()
    missing = [name for name in names if not linked[name]]
    if missing:
        _stand_in(library, missing, environment)
    return [library]


def _stand_in(library: str, names: List[str], environment: Dict[str, str]) -> None:
    """Libraries of these names, for a machine without the CUDA toolkit: the loader asks for files."""
    folder = os.path.join(native.private_folder(), "names")
    os.makedirs(folder, mode=0o700, exist_ok=True)
    for name in names:
        link = os.path.join(folder, name)
        if not os.path.islink(link) or os.readlink(link) != library:
            scratch = f"{link}.{os.getpid()}"
            os.symlink(library, scratch)
            os.replace(scratch, link)
    paths = [folder, *filter(None, [environment.get("LD_LIBRARY_PATH")])]
    environment["LD_LIBRARY_PATH"] = os.pathsep.join(paths)


def _contains(path: str, text: bytes) -> bool:
    with open(path, "rb") as file, \
            mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        return content.find(text) >= 0


def links_cuda_statically(program: str) -> bool:
    """Whether a program has kernels (nvcc's section), and no CUDA runtime among its libraries: it has its own,
    which nothing that is preloaded can stand before."""
    return _is_elf(program) and _contains(program, b".nv_fatbin\0") and \
        not any(name.startswith("libcudart") for name in _libraries_of(program))


def warn_of_static_cuda(program: str) -> None:
    if links_cuda_statically(program):
        print(f"placecheck: {program} contains the CUDA runtime itself (nvcc's usual -cudart static): its calls "
              "cannot be seen; link it with -cudart shared", file=sys.stderr)


def add_preloads(program: str, environment: Dict[str, str]) -> None:
    """Changes the environment in which `program` is started; nothing for scripts and for Python."""
    if not _is_elf(program) or re.match(r"python|pytest|torchrun", os.path.basename(program)):
        return
    linked = _libraries_of(program)
    preloads: List[str] = []
    soname = _libtorch_among(linked)
    if soname is not None:
        torch = torch_install.of_library(linked[soname])
        preloads += _for_libtorch(soname, torch)
        if torch.is_cuda_build:
            linked = _needed_beside(torch, program, linked)
    preloads += _for_cuda(linked, environment)
    if preloads:
        environment["LD_PRELOAD"] = ":".join(
            [*preloads, *filter(None, environment.get("LD_PRELOAD", "").split(":"))])
