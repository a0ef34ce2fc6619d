"""Finds the PyTorch that this interpreter would import, without importing it."""

import ast
import importlib.machinery
import os
import sys
from typing import NamedTuple, Optional, Tuple


class TorchInstall(NamedTuple):
    """A PyTorch on disk. `cuda` is the CUDA release of a CUDA build ("13.2"), None for a CPU build."""

    folder: str
    version: str
    cuda: Optional[str]

    @property
    def release(self) -> Tuple[int, int]:
        major, minor = self.version.split(".")[:2]
        return int(major), int("".join(c for c in minor if c.isdigit()) or 0)

    @property
    def is_cuda_build(self) -> bool:
        return os.path.exists(self.library("libtorch_python.so")) and self.cuda is not None

    def library(self, name: str) -> str:
        """The path of one of PyTorch's own libraries; Debian keeps them beside the system's."""
        inside = os.path.join(self.folder, "lib", name)
        return inside if os.path.exists(inside) else name

    @property
    def include_folders(self):
        """Where its headers are: inside it (wheels), or the system's (Debian's libtorch-dev)."""
        inside = os.path.join(self.folder, "include")
        roots = [inside] if os.path.exists(os.path.join(inside, "ATen")) else ["/usr/include"]
        return [r for root in roots for r in (root, os.path.join(root, "torch/csrc/api/include"))]

    @property
    def uses_cxx11_strings(self) -> bool:
        """Whether its std::string is GCC 5's: wheels before 2.7 were built with the older one."""
        path = self.library("libc10.so")
        if not os.path.exists(path):
            return True
        with open(path, "rb") as library:
            return b"SourceLocationENSt7__cxx1112basic_string" in library.read()


def _version_fields(path: str):
    """The literal assignments of torch/version.py."""
    with open(path, encoding="utf-8") as source:
        tree = ast.parse(source.read())
    fields = {}
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        value = getattr(node, "value", None)
        if not isinstance(value, ast.Constant):
            continue
        for target in targets:
            if isinstance(target, ast.Name):
                fields[target.id] = value.value
    return fields


def at(folder: str) -> Optional[TorchInstall]:
    """The PyTorch in the folder of its package; None where there is none."""
    folder = os.path.realpath(folder)
    version_file = os.path.join(folder, "version.py")
    if not os.path.exists(version_file):
        return None
    fields = _version_fields(version_file)
    return TorchInstall(folder, str(fields.get("__version__", "0.0")), fields.get("cuda"))


def find() -> Optional[TorchInstall]:
    """The PyTorch on sys.path; None where there is none."""
    spec = importlib.machinery.PathFinder.find_spec("torch", sys.path)
    if spec is None or not spec.origin:
        return None
    return at(os.path.dirname(spec.origin))
