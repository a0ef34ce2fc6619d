"""The tutorials' programs in Python, on four virtual GPUs: the wrong forms raise PyTorch's own error on the
line that is wrong, the right forms run to their end."""

import glob
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import unittest

_ROOT = os.path.dirname(os.path.abspath(__file__)).rpartition("/tests/runtime/python")[0]
_PACKAGE = os.path.join(_ROOT, "runtime/python")
_BATTERY = os.path.join(_PACKAGE, "bench/battery")
_PROGRAMS = os.path.join(_ROOT, "testdata/programs/python/tutorial")
_TUTORIALS = 19

sys.path[:0] = [_BATTERY, _PACKAGE]

import built_libraries  # pylint: disable=wrong-import-position
import programs  # pylint: disable=wrong-import-position
from placecheck import torch_install  # pylint: disable=wrong-import-position


def _paths():
    return sorted(glob.glob(os.path.join(_PROGRAMS, "*.py")))


def _run(paths, environment):
    """Each program's Outcome, by path."""
    command = [sys.executable, os.path.join(_PACKAGE, "placecheck_run.py"), "--gpus=4", "--",
               sys.executable, os.path.join(_BATTERY, "runner.py"), *paths]
    done = subprocess.run(command, env={**os.environ, **environment}, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, timeout=280, check=False)
    records = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    if done.returncode != 0:
        raise AssertionError(f"the runner failed:\n{done.stderr}")
    return {record["program"]: programs.Outcome(**{field: record[field]
                                                   for field in programs.Outcome._fields})
            for record in records}


class TutorialsTest(unittest.TestCase):

    def test_every_tutorial_has_a_right_program(self):
        right = {os.path.basename(p)[:2] for p in _paths() if not programs.read(p).raises}
        self.assertEqual(sorted(right), [f"{i:02}" for i in range(1, _TUTORIALS + 1)])

    @unittest.skipIf(importlib.util.find_spec("torch") is None,
                     "this Python has no torch; on Debian: apt-get install python3-torch")
    def test_programs_end_as_their_comments_say(self):
        torch = torch_install.find()
        paths = [path for path in _paths() if programs.read(path).oldest_torch <= torch.release]
        with tempfile.TemporaryDirectory() as folder:
            outcomes = _run(paths, built_libraries.environment(folder))
        self.assertEqual(sorted(outcomes), sorted(paths))
        for path in paths:
            program = programs.read(path)
            with self.subTest(program.name):
                fault = programs.fault(program, outcomes[path])
                self.assertIsNone(fault, f"{fault}\n{outcomes[path].output}")


if __name__ == "__main__":
    unittest.main()
