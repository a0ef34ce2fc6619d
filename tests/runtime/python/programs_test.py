"""placecheck-run of programs in C++: on libtorch, and on CUDA and NCCL alone.

Bazel runs it with Debian's libtorch. `PYTHON=/venv/bin/python python3 programs_test.py` compiles the libtorch
program against the wheel of that environment instead.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import textwrap
import unittest

_ROOT = os.path.dirname(os.path.abspath(__file__)).rpartition("/tests/runtime/python")[0]
_PACKAGE = os.path.join(_ROOT, "runtime/python")
_LIBRARIES = ":".join(os.path.join(_ROOT, folder) for folder in ("runtime/torch", "runtime/cuda"))
_LIBTORCH_PROGRAM = os.path.join(_ROOT, "tests/runtime/torch/unmodified_program")

# The functions that the program calls, by the library that has them.
_LIBRARIES_OF_CUDA = {
    "cudart": ("cudaSetDevice", "cudaMalloc", "cudaMemcpy", "cudaGetDeviceCount"),
    "nccl": ("ncclCommInitAll", "ncclAllReduce", "ncclGroupStart", "ncclGroupEnd"),
}
_CUDA_PROGRAM = """\
    #include <cuda_runtime.h>
    #include <nccl.h>

    #include <cstdio>

    int main(int argc, char**) {
      int count = 0;
      cudaGetDeviceCount(&count);
      ncclComm_t ranks[2];
      ncclResult_t result = ncclCommInitAll(ranks, 2, nullptr);
      float* memory[2];
      for (int i = 0; i < 2; ++i) {
        cudaSetDevice(i);
        cudaMalloc(reinterpret_cast<void**>(&memory[i]), 64);
      }
      ncclGroupStart();
      for (int i = 0; i < 2 && result == ncclSuccess; ++i) {
        float* own = memory[argc > 1 ? 0 : i];
        result = ncclAllReduce(own, own, 16, ncclFloat, ncclSum, ranks[i], nullptr);
      }
      ncclGroupEnd();
      float back = 0;
      const cudaError_t copied = cudaMemcpy(&back, memory[1], 4, cudaMemcpyDeviceToHost);
      std::printf("%d devices, %d, %d\\n", count, result, copied);
    }
"""


def launch(*command, **environment):
    """A program under placecheck-run, on two GPUs."""
    return subprocess.run(
        [sys.executable, os.path.join(_PACKAGE, "placecheck_run.py"), "--gpus=2", "--", *command],
        capture_output=True, text=True, timeout=1200, check=False,
        env={**os.environ, "PLACECHECK_LIBRARIES": _LIBRARIES, **environment})


class Folder(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.folder)

    @classmethod
    def write(cls, name, text):
        path = os.path.join(cls.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(textwrap.dedent(text))
        return path

    @classmethod
    def compile(cls, name, source, *flags):
        target = os.path.join(cls.folder, name)
        subprocess.run([os.environ.get("CXX", "g++"), "-std=c++20", source, "-o", target, *flags],
                       check=True)
        return target


class LibtorchTest(Folder):

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        python = os.environ.get("PYTHON")
        cls.program = _LIBTORCH_PROGRAM if python is None else cls.compile_against_wheel(python)

    @classmethod
    def compile_against_wheel(cls, python):
        folder = subprocess.run(
            [python, "-c", "import importlib.util; "
             "print(importlib.util.find_spec('torch').submodule_search_locations[0])"],
            capture_output=True, text=True, check=True).stdout.strip()
        includes = [f"-I{folder}/include", f"-I{folder}/include/torch/csrc/api/include"]
        return cls.compile("program", _LIBTORCH_PROGRAM + ".cc", *includes, f"-L{folder}/lib",
                           f"-Wl,-rpath,{folder}/lib", "-Wl,--allow-shlib-undefined", "-ltorch",
                           "-ltorch_cpu", "-lc10")

    def test_trains_on_a_device(self):
        result = launch(self.program)
        self.assertEqual((result.stdout, result.returncode), ("2 devices\ntrained on cuda:1\n", 0),
                         result.stderr)

    def test_mistake_is_raised(self):
        result = launch(self.program, FORGET_LABELS="1")
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("Expected all tensors to be on the same device", result.stderr)


class CudaTest(Folder):
    """On a machine without the CUDA toolkit: the libraries that the program names are gone."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        source = cls.write("program.cc", _CUDA_PROGRAM)
        libraries = [cls.make_library(name, functions)
                     for name, functions in _LIBRARIES_OF_CUDA.items()]
        cls.program = cls.compile("program", source, *libraries,
                                  f"-I{_ROOT}/runtime/cuda/include")
        for library in libraries:
            os.remove(library)

    @classmethod
    def make_library(cls, name, functions):
        code = "".join(f'extern "C" int {function}() {{ return 1; }}\n' for function in functions)
        return cls.compile(f"lib{name}.so", cls.write(f"{name}.cc", code), "-shared", "-fPIC",
                           f"-Wl,-soname,lib{name}.so.placecheck-test")

    def test_runs_and_says_what_is_not_executed(self):
        result = launch(self.program, PLACECHECK_CACHE=self.folder)
        self.assertEqual((result.stdout, result.returncode), ("2 devices, 0, 0\n", 0), result.stderr)
        self.assertIn("ncclAllReduce is checked, but not executed", result.stderr)
        self.assertEqual(result.stderr.count("not executed"), 1)

    def test_mistake_is_named(self):
        result = launch(self.program, "wrong", PLACECHECK_CACHE=self.folder)
        self.assertIn("ncclAllReduce of rank 1 needs one on cuda:1, but got one on cuda:0 [nccl-usage]",
                      result.stderr)


if __name__ == "__main__":
    unittest.main()
