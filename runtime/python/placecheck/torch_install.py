"""Finds the PyTorch that this interpreter would import, without importing it."""

import ast
import hashlib
import importlib.machinery
import os
import re
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
        return os.path.exists(self.library("libtorch_cpu.so")) and self.cuda is not None

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
    def has_headers(self) -> bool:
        return any(os.path.exists(os.path.join(folder, "ATen", "ATen.h"))
                   for folder in self.include_folders)

    @property
    def fingerprint(self) -> str:
        """Tells builds of one version apart; the same wheel in two environments is the same."""
        digest = hashlib.sha256(f"{self.version} {self.cuda}".encode())
        for name in ("version.py", "build-hash"):
            path = os.path.join(self.folder, name)
            if os.path.exists(path):
                with open(path, "rb") as file:
                    digest.update(file.read())
        for name in ("libc10.so", "libtorch_cpu.so", "libtorch_python.so"):
            path = self.library(name)
            if os.path.exists(path):
                digest.update(f"{name} {os.path.getsize(path)}".encode())
        return digest.hexdigest()[:8]

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


def _version_of_headers(include_folders) -> str:
    parts = {}
    for folder in include_folders:
        for header in ("torch/version.h", "torch/headeronly/version.h"):
            path = os.path.join(folder, header)
            if os.path.exists(path):
                with open(path, encoding="utf-8") as text:
                    parts.update(re.findall(r"#define TORCH_VERSION_(\w+) (\d+)", text.read()))
    return ".".join(parts.get(name, "0") for name in ("MAJOR", "MINOR", "PATCH"))


def _cuda_of(version: str) -> Optional[str]:
    """The CUDA release of a build, by its version: "12.6" of "2.7.1+cu126"."""
    match = re.search(r"\+cu(\d+)(\d)", version)
    return f"{match.group(1)}.{match.group(2)}" if match else None


def of_library(path: str) -> TorchInstall:
    """The PyTorch that one of libtorch's libraries belongs to: a wheel's, one that was unpacked, or the
    system's."""
    folder = os.path.dirname(os.path.dirname(os.path.realpath(path)))
    if not os.path.exists(os.path.join(folder, "include", "ATen")):
        folder = "/usr"
    build_version = os.path.join(folder, "build-version")
    if os.path.exists(build_version):
        with open(build_version, encoding="utf-8") as file:
            version = file.read().strip()
        return TorchInstall(folder, version, _cuda_of(version))
    system = TorchInstall(folder, "", None)
    return at(folder) or system._replace(version=_version_of_headers(system.include_folders))


def find() -> Optional[TorchInstall]:
    """The PyTorch on sys.path; None where there is none."""
    spec = importlib.machinery.PathFinder.find_spec("torch", sys.path)
    if spec is None or not spec.origin:
        return None
    return at(os.path.dirname(spec.origin))
