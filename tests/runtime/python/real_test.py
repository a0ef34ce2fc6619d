"""Calls that a Python program's extensions make of CUDA, judged by libplacecheck_real.so and forwarded: the
virtual CUDA runtime stands for the real one.

Bazel runs it with Debian's PyTorch. `PYTHON=/venv/bin/python python3 real_test.py` takes the wheel of that
environment instead, whose CUDA runtime is loaded for PyTorch alone.
"""

import os
import subprocess
import sys
import tempfile
import unittest

_ROOT = os.path.dirname(os.path.abspath(__file__)).rpartition("/tests/runtime/python")[0]
_PYTHON = os.environ.get("PYTHON")

_EXTENSION = """\
extern int cudaMemcpy(void* to, const void* from, unsigned long bytes, int kind);
int copy(void* to, const void* from, int kind) { return cudaMemcpy(to, from, 16, kind); }
"""
_PROGRAM = """\
import ctypes, torch
copy = ctypes.CDLL("./extension.so").copy
on_gpu, on_host = torch.zeros(4, device="cuda:1"), torch.ones(4)
for kind in (1, 2):
    code = copy(*(ctypes.c_void_p(each.data_ptr()) for each in (on_gpu, on_host)), kind)
    print(kind, code, on_gpu.tolist())
"""


def built(path):
    """What Bazel built, for this test or by hand."""
    for folder in (_ROOT, os.path.join(_ROOT, "bazel-bin")):
        if os.path.exists(os.path.join(folder, path)):
            return os.path.join(folder, path)
    raise unittest.SkipTest(f"bazel build //{os.path.dirname(path)}:{os.path.basename(path)}")


class RealTest(unittest.TestCase):

    def test_calls_are_judged_and_forwarded(self):
        environment = {**os.environ, "PLACECHECK_REAL_REPORT": "report"}
        if _PYTHON is None:
            environment["PLACECHECK_LIBRARIES"] = os.path.join(_ROOT, "runtime/torch")
            environment["PLACECHECK_REAL_CUDART"] = built("runtime/cuda/libplacecheck_cuda.so")
        preload = "LD_PRELOAD=" + built("runtime/cuda/real/libplacecheck_real.so")
        with tempfile.TemporaryDirectory() as folder:
            for name, text in {"extension.c": _EXTENSION, "program.py": _PROGRAM}.items():
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write(text)
            subprocess.run(["cc", "-g", "-shared", "-fPIC", "-o", "extension.so", "extension.c"],
                           cwd=folder, check=True)
            result = subprocess.run(
                [sys.executable, os.path.join(_ROOT, "runtime/python/placecheck_run.py"), "--gpus=2",
                 "--", "env", preload, _PYTHON or sys.executable, "program.py"],
                cwd=folder, env=environment, capture_output=True, text=True, timeout=1200, check=False)
            self.assertEqual(result.stdout, "1 0 [1.0, 1.0, 1.0, 1.0]\n2 1 [1.0, 1.0, 1.0, 1.0]\n",
                             result.stderr)
            with open(os.path.join(folder, "report"), encoding="utf-8") as report:
                lines = report.read().splitlines()
        self.assertEqual([line for line in lines if not line.startswith(" ")], [
            "cuda-memcpy-kind: cudaMemcpy: CUDA error: invalid argument (cudaMemcpyDeviceToHost from "
            "memory of the host to memory of cuda:1)"])
        self.assertTrue(any("in copy at" in line and "extension.c:2" in line for line in lines), lines)


if __name__ == "__main__":
    unittest.main()
