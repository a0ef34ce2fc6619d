"""What a program that is no script preloads for its virtual GPUs: the library that stands for the CUDA
runtime, cuBLAS and NCCL, and the one that gives a CPU build of libtorch its devices."""

import os
import re
import subprocess
import sys
from typing import Dict, List

from . import build, native, torch_install

_CUDA = re.compile(r"lib(cudart|cublas|nccl)\.so")


def _is_elf(path: str) -> bool:
    with open(path, "rb") as program:
        return program.read(4) == b"\x7fELF"


def _libraries_of(program: str) -> Dict[str, str]:
    """The paths of the libraries that are loaded with a program, by name; "" where one is missing."""
    listed = subprocess.run(["ldd", program], capture_output=True, text=True, check=False).stdout
    found = re.findall(r"^\s*(\S+) => (not found|\S+)", listed, re.MULTILINE)
    return {name: "" if path == "not found" else path for name, path in found}


def _of_checkout(name: str) -> List[str]:
    """The library that Bazel built (PLACECHECK_LIBRARIES), if there is one."""
    folders = os.environ.get("PLACECHECK_LIBRARIES", "").split(os.pathsep)
    paths = (os.path.join(folder, name) for folder in folders if folder)
    return [path for path in paths if os.path.exists(path)][:1]


def _is_linked_with(path: str, library: str) -> bool:
    """By the name of the file, which has the release in it where the system installed it."""
    with open(path, "rb") as content:
        return os.path.basename(os.path.realpath(library)).encode() + b"\0" in content.read()


def _for_libtorch(linked: Dict[str, str]) -> List[str]:
    library = next((path for name, path in linked.items()
                    if name.startswith(("libtorch_cpu.so", "libc10.so")) and path), None)
    if library is None:
        return []
    cuda = next((path for name, path in linked.items() if name.startswith("libtorch_cuda.so")), None)
    if cuda is not None:
        print(f"placecheck-run: the program links a CUDA build of libtorch ({cuda or 'missing'}), which "
              "has no virtual GPUs; link it with a CPU build", file=sys.stderr)
        return []
    return ([path for path in _of_checkout(build.TORCH_LIBRARY) if _is_linked_with(path, library)]
            or [native.library_for_libtorch(torch_install.of_library(library))])


def _for_cuda(linked: Dict[str, str], environment: Dict[str, str]) -> List[str]:
    names = [name for name in linked if _CUDA.match(name)]
    if not names:
        return []
    library = (_of_checkout(build.CUDA_LIBRARY) or [native.library_for_cuda()])[0]
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


def add_preloads(program: str, environment: Dict[str, str]) -> None:
    """Changes the environment in which `program` is started; nothing for scripts and for Python."""
    if not _is_elf(program) or re.match(r"python|pytest|torchrun", os.path.basename(program)):
        return
    linked = _libraries_of(program)
    preloads = [*_for_libtorch(linked), *_for_cuda(linked, environment)]
    if preloads:
        environment["LD_PRELOAD"] = ":".join(
            [*preloads, *filter(None, environment.get("LD_PRELOAD", "").split(":"))])
