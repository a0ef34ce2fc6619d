"""Shared libraries of extensions, loaded by a program on virtual GPUs with Debian's PyTorch."""

import os
import subprocess
import sys
import unittest

_ROOT = os.path.dirname(os.path.abspath(__file__)).rpartition("/tests/runtime/python")[0]
_EXTENSION = os.path.join(_ROOT, "tests/runtime/torch/libextension.so")

_PREPARE = f"""\
import torch

own = torch.library.Library("placecheck_own", "DEF")
own.define("both(Tensor tensor) -> Tensor")
own.impl("both", lambda tensor: tensor * 2, "CPU")
own.impl("both", lambda tensor: tensor * 3, "CUDA")
torch.ops.load_library({_EXTENSION!r})
ops = torch.ops.placecheck_test
ones = torch.ones(2)
"""


class ExtensionsTest(unittest.TestCase):

    def run_program(self, text):
        """What the program prints."""
        done = subprocess.run(
            [sys.executable, os.path.join(_ROOT, "runtime/python/placecheck_run.py"), "--", sys.executable, "-c",
             _PREPARE + text],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300, check=False,
            env={**os.environ, "PLACECHECK_LIBRARIES": os.path.join(_ROOT, "runtime/torch")})
        return done.stdout

    def test_the_cpu_kernel_computes(self):
        self.assertEqual(
            self.run_program("print(ops.both(ones.cuda(1), ones.cuda(1)))"), "tensor([2., 2.], device='cuda:1')\n")

    def test_operands_are_checked(self):
        output = self.run_program("ops.both(ones.cuda(), ones)")
        self.assertIn("Expected all tensors to be on the same device", output)
        self.assertIn("'weight' [2] is on cpu since", output)

    def test_an_operator_for_gpus_alone_keeps_its_kernel(self):
        self.assertEqual(self.run_program("print(ops.gpu_only(ones.cuda(), ones.cuda()))"),
                         "tensor([-1., -1.], device='cuda:0')\n")

    def test_kernels_of_the_program_itself_are_kept(self):
        self.assertEqual(self.run_program("print(torch.ops.placecheck_own.both(ones.cuda()))"),
                         "tensor([3., 3.], device='cuda:0')\n")


if __name__ == "__main__":
    unittest.main()
