"""Programs under placecheck-run with Debian's PyTorch: what they see, and what their errors say."""

import os
import subprocess
import sys
import tempfile
import unittest

_ROOT = os.path.dirname(os.path.abspath(__file__)).rpartition("/tests/runtime/python")[0]
_PACKAGE = os.path.join(_ROOT, "runtime/python")
_LIBRARIES = os.path.join(_ROOT, "runtime/torch")

_MISMATCH = """\
import torch


def make_model():
    return torch.nn.Linear(4, 2)


model = make_model()
model.cuda()
batch = torch.randn(8, 4)
output = model(batch)
"""


class ActivationTest(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)

    @classmethod
    def path(cls, name):
        return os.path.join(cls.folder.name, name)

    def run_program(self, text, *options, command=None, **environment):
        """The result of a program under placecheck-run."""
        with open(self.path("program.py"), "w", encoding="utf-8") as program:
            program.write(text)
        return subprocess.run(
            [sys.executable, os.path.join(_PACKAGE, "placecheck_run.py"), *options, "--",
             *(command or [sys.executable, "program.py"])],
            capture_output=True, text=True, timeout=300, check=False, cwd=self.folder.name,
            env={**os.environ, "PLACECHECK_LIBRARIES": _LIBRARIES, **environment})

    def test_error_says_where_operands_got_their_places(self):
        error = self.run_program(_MISMATCH).stderr
        self.assertIn("Expected all tensors to be on the same device", error)
        self.assertIn("is on cpu since program.py:10: batch = torch.randn(8, 4)", error)
        self.assertIn("is on cuda:0 since program.py:9: model.cuda()", error)
        self.assertIn("they meet at program.py:11: output = model(batch)", error)
        self.assertIn("--explain=device-mismatch", error)

    def test_visible_devices_after_they_were_counted(self):
        result = self.run_program("""\
import os
import sys
import torch
if torch.__version__.startswith("1."):
    sys.exit(77)  # It keeps the number that it was told first.
print(torch.cuda.device_count())
os.environ["CUDA_VISIBLE_DEVICES"] = "1"
torch.ones(1).cuda()
print(torch.cuda.device_count())
""")
        if result.returncode == 77:
            self.skipTest("this release counts devices once")
        self.assertEqual(result.stdout.split(), ["2", "1"], result.stderr)

    def test_provenance_of_real_gpus(self):
        """What --real adds to PyTorch's errors; virtual GPUs that say nothing stand for real ones."""
        result = self.run_program(
            "from placecheck import provenance\nprovenance.start_with_torch()\n" + _MISMATCH,
            PLACECHECK_PROVENANCE="0")
        error = result.stderr
        self.assertIn("Expected all tensors to be on the same device", error)
        self.assertIn("[8, 4] is on cpu since program.py:12: batch = torch.randn(8, 4)", error)
        self.assertIn("is on cuda:0 since program.py:11: model.cuda()", error)
        self.assertIn("they meet at program.py:13: output = model(batch)", error)

    def test_batch_of_another_process_is_there_since_it_is_taken_from_the_loader(self):
        for options in ("num_workers=1", "num_workers=1, pin_memory=True"):
            error = self.run_program(f"""\
import torch
data = torch.utils.data.TensorDataset(torch.ones(4, 3), torch.ones(4))
loader = torch.utils.data.DataLoader(data, batch_size=2, {options})
weight = torch.ones(3, device='cuda')
for batch, target in loader:
    batch @ weight
""").stderr
            self.assertIn("[2, 3] is on cpu since program.py:5: for batch, target in loader:", error)

    def test_provenance_can_be_left_out(self):
        error = self.run_program(_MISMATCH, PLACECHECK_PROVENANCE="0").stderr
        self.assertIn("Expected all tensors to be on the same device", error)
        self.assertNotIn("since program.py", error)

    def test_gradient_of_another_thread_is_named_without_a_line(self):
        error = self.run_program("""\
import torch
weight = torch.ones(3, device='cuda', requires_grad=True)
(weight * 2).sum().backward()
weight.grad + torch.ones(3)
""").stderr
        self.assertIn("'self' [3] is on cuda:0", error)
        self.assertIn("'other' [3] is on cpu since program.py:4", error)

    def test_report_goes_on_and_lists_the_mistakes(self):
        result = self.run_program(_MISMATCH + "print('went on')\n",
                                  f"--report={self.path('report.txt')}")
        self.assertEqual(result.stdout, "went on\n", result.stderr)
        with open(self.path("report.txt"), encoding="utf-8") as report:
            self.assertIn("device-mismatch: Expected all tensors", report.read())

    def test_number_of_gpus_and_visible_devices(self):
        count = "import torch; print(torch.cuda.device_count())"
        self.assertEqual(self.run_program(count, "--gpus=3").stdout, "3\n")
        self.assertEqual(self.run_program(count, "--gpus=0").stdout, "0\n")
        self.assertEqual(
            self.run_program(count, "--gpus=4", CUDA_VISIBLE_DEVICES="2,3").stdout, "2\n")

    def test_child_processes_have_the_gpus(self):
        result = self.run_program("""\
import subprocess, sys
subprocess.run([sys.executable, '-c', 'import torch; print(torch.ones(1).cuda(1).device)'],
               check=True)
""")
        self.assertEqual(result.stdout, "cuda:1\n", result.stderr)

    def test_memory_ends(self):
        error = self.run_program("import torch; torch.empty(2**28, device='cuda')",
                                 "--memory=512MiB").stderr
        self.assertIn("CUDA out of memory. Tried to allocate 1024.00 MiB", error)

    def test_late_activation_is_refused(self):
        result = self.run_program("""\
import sys, types
sys.meta_path = [f for f in sys.meta_path if 'Patching' not in type(f).__name__]
sys.modules['torch'] = types.ModuleType('torch')
from placecheck import activate
activate.activate()
""")
        self.assertIn("torch is imported already", result.stderr)


if __name__ == "__main__":
    unittest.main()
