#!/usr/bin/env python3
"""The server under Neovim, an editor that real people use. Says so and is skipped where there is none.

usage: neovim_test.py ANALYZER
"""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

ANALYZER = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "placecheck"
SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "neovim_test.lua")
NVIM = shutil.which("nvim", path="/usr/bin:/usr/local/bin")

_DROPPED = """\
namespace at { struct Tensor { Tensor to(int device) const; }; }
void move(at::Tensor batch, at::Tensor labels) {
  batch.to(1);
  labels.to(1);
}
"""


class NeovimTest(unittest.TestCase):

    @unittest.skipUnless(NVIM, "nvim is not installed")
    def test_a_session(self):
        with tempfile.TemporaryDirectory() as root:
            root = os.path.realpath(root)
            file = os.path.join(root, "dropped.cc")
            with open(file, "w", encoding="utf-8") as out:
                out.write(_DROPPED)
            environment = {"PATH": "/usr/bin:/bin", "HOME": root, "PROJECT": root, "FILE": file,
                           "ANALYZER": ANALYZER}
            done = subprocess.run([NVIM, "--headless", "-i", "NONE", "-n", "-u", SCRIPT], cwd=root,
                                  env=environment, capture_output=True, text=True, timeout=240,
                                  stdin=subprocess.DEVNULL, check=False)
        said = done.stdout.splitlines()
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(said[:2], ["line 3 placecheck discarded-transfer 2",
                                    "line 4 placecheck discarded-transfer 2"])
        self.assertRegex(said[2], r"^hover: .*tensor")
        self.assertEqual(said[3:], ["mended:   batch = batch.to(1);",
                                    "line 4 placecheck discarded-transfer 2", "done"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
