#!/usr/bin/env python3
"""A program is judged as the shell scripts beside it start it."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

_ANALYZER = os.path.abspath(sys.argv.pop(1))

_PROGRAM = """\
import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--gpu", "-g", type=int, default=2)
parser.add_argument("--name")
args = parser.parse_args()
device = torch.device("cuda", args.gpu)
print(torch.zeros(2, device=device))
"""


class LaunchesTest(unittest.TestCase):

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.project = scratch.name
        self.write("train.py", _PROGRAM)

    def write(self, name, text):
        path = os.path.join(self.project, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def found(self, script, where="scripts/run.sh"):
        """What is found once the script is there: (line, rule), and the line of each script."""
        self.write(where, script)
        done = subprocess.run([_ANALYZER, "--no-cache", "--format=json", "."], cwd=self.project,
                              check=False, capture_output=True, text=True,
                              env={"PATH": "/usr/bin:/bin", "HOME": self.project})
        self.assertEqual(done.stderr, "")
        report = json.loads(done.stdout)
        return [(each["line"], each["rule"],
                 [(note["file"], note["line"]) for note in each["notes"]
                  if note["file"].endswith(".sh")]) for each in report["findings"]]

    def test_the_default_is_beyond_the_list(self):
        self.assertEqual(self.found("# of the first rack\nCUDA_VISIBLE_DEVICES=2,3 python train.py\n"),
                         [(9, "visible-devices", [("scripts/run.sh", 2)])])

    def test_what_is_given_counts(self):
        self.assertEqual(self.found("CUDA_VISIBLE_DEVICES=2,3 python train.py --gpu 1\n"), [])
        self.assertEqual(self.found("CUDA_VISIBLE_DEVICES=2,3 python train.py -g=0 --name a\n"), [])
        self.assertEqual([each[1] for each in
                          self.found("CUDA_VISIBLE_DEVICES=0,1 python train.py --gpu 3\n")],
                         ["invalid-device"])

    def test_what_the_shell_makes_is_not_known(self):
        self.assertEqual(self.found("CUDA_VISIBLE_DEVICES=2,3 python train.py $1\n"), [])
        self.assertEqual(self.found("CUDA_VISIBLE_DEVICES=$1 python train.py\n"), [])

    def test_a_run_without_devices(self):
        self.write("save.py", "import torch\n"
                              "torch.save(torch.ones(2, device='cuda'), 'ones.pt')\n")
        self.write("load.py", "import torch\nones = torch.load('ones.pt')\n")
        self.assertEqual(self.found("CUDA_VISIBLE_DEVICES= python train.py\n"
                                    "CUDA_VISIBLE_DEVICES='' python load.py\n"),
                         [(2, "missing-map-location", [("scripts/run.sh", 2)])])

    def test_other_programs_are_not_concerned(self):
        self.assertEqual(self.found("CUDA_VISIBLE_DEVICES=2,3 python other.py\n"), [])
        self.assertEqual(self.found("CUDA_VISIBLE_DEVICES=2,3 python train.py\n", "build/run.sh"), [])


if __name__ == "__main__":
    unittest.main()
