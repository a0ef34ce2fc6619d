"""What the tests of virtual GPUs under a CPU build of PyTorch share: `import cpu_build_testing` comes before
`import torch`, gives this process its devices, and skips the tests where that cannot be."""

import ctypes
import importlib.machinery
import importlib.util
import os
import subprocess
import sys
import unittest

_ROOT = os.path.dirname(os.path.abspath(__file__)).rpartition("/tests/runtime/python")[0]
_LIBRARY = os.path.join(_ROOT, "runtime/torch/libplacecheck_torch.so")
_PACKAGE = os.path.join(_ROOT, "runtime/python")


class _CpuBuildFinder(importlib.machinery.PathFinder):
    """Calls placecheck.cpu_build around the execution of torch and torch.cuda."""

    @classmethod
    def find_spec(cls, name, path=None, target=None):
        if name not in ("torch", "torch.cuda"):
            return None
        spec = super().find_spec(name, path, target)
        execute = spec.loader.exec_module

        def exec_module(module):
            from placecheck import cpu_build
            if name == "torch.cuda":
                cpu_build.install_before_cuda()
            execute(module)
            if name == "torch":
                cpu_build.install_after_torch(module)

        spec.loader.exec_module = exec_module
        return spec


def _load_libraries() -> None:
    torch = importlib.util.find_spec("torch")
    if torch is None:
        raise unittest.SkipTest("this Python has no torch; on Debian: apt-get install python3-torch")
    folder = os.path.join(os.path.dirname(torch.origin), "lib")
    if os.path.exists(os.path.join(folder, "libtorch_cuda.so")):
        raise unittest.SkipTest(f"{folder} is a CUDA build of torch")
    for name in ("libc10.so", "libtorch_cpu.so"):
        ctypes.CDLL(os.path.join(folder, name), mode=ctypes.RTLD_GLOBAL)
    ctypes.CDLL(_LIBRARY, mode=ctypes.RTLD_GLOBAL)


def run_program(program: str, **environment: str) -> str:
    """What a Python program prints that has virtual GPUs and this environment besides."""
    folder = os.path.dirname(os.path.abspath(__file__))
    start = f"import sys; sys.path.insert(0, {folder!r}); import cpu_build_testing, torch\n"
    result = subprocess.run([sys.executable, "-c", start + program], timeout=120, text=True,
                            env={**os.environ, **environment}, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT)
    return result.stdout


def _activate() -> None:
    _load_libraries()
    sys.path.insert(0, _PACKAGE)
    sys.meta_path.insert(0, _CpuBuildFinder)


_activate()
