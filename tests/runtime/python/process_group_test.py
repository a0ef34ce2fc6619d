"""torch.distributed on two virtual GPUs under Debian's PyTorch: what of distributed_test CI has time for."""

import importlib.util
import os
import tempfile
import unittest

import built_libraries
import distributed_test


@unittest.skipIf(importlib.util.find_spec("torch") is None,
                 "this Python has no torch; on Debian: apt-get install python3-torch")
class ProcessGroupTest(unittest.TestCase):

    def run_ranks(self, program, *arguments):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        store = os.path.join(folder.name, "store")
        return distributed_test.run_ranks(
            program, *(argument.format(store=store) for argument in arguments), timeout=60,
            STORE=f"file://{store}", **built_libraries.environment(folder.name))

    def test_collectives(self):
        for outcome in self.run_ranks("collectives.py"):
            self.assertEqual(outcome.code, 0, outcome.output)

    def test_data_parallel(self):
        for outcome in self.run_ranks("ddp.py", "{store}"):
            self.assertEqual(outcome.code, 0, outcome.output)
            self.assertIn("nccl ok\ngloo ok\n", outcome.output)

    def test_mistakes(self):
        for outcome in self.run_ranks("faults.py", "mended_cpu_tensor"):
            self.assertEqual(outcome.code, 1, outcome.output)
            self.assertIn("Tensors must be CUDA and dense", outcome.output)
            self.assertRegex(outcome.output, "rank 0 is in all_reduce while rank 1 is in broadcast\n"
                             r".*rank 0: .*faults\.py:\d+\n.*rank 1: .*faults\.py:\d+")


if __name__ == "__main__":
    unittest.main()
