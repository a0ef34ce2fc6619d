"""What the marks of a Python fixture say, and what a run of it on virtual GPUs raises, are the same: a marked
line raises the error that its rule predicts, and a fixture without marks runs to its end."""

import glob
import importlib.util
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

_ROOT = os.path.dirname(os.path.abspath(__file__)).rpartition("/tests/agreement/python")[0]
_PACKAGE = os.path.join(_ROOT, "runtime/python")
_BATTERY = os.path.join(_PACKAGE, "bench/battery")
_LIBRARY = os.path.join(_ROOT, "runtime/torch/libplacecheck_torch.so")
_HERE = os.path.join(_ROOT, "tests/agreement/python")

sys.path[:0] = [_HERE, _BATTERY, _PACKAGE]

import marks  # pylint: disable=wrong-import-position
import programs  # pylint: disable=wrong-import-position

_MISMATCH = (r"Expected all tensors to be on the same device"
             r"|Input type \(torch\.\S+\) and weight type"
             r"|Input and (hidden|parameter) tensors are not at the same device"
             r"|indices should be either on"
             r"|expected self and mask to be on the same device"
             r"|is on \S+, different from other tensors"
             r"|Expected object of (device type|backend)"
             r"|tensors? .*to (be|have) (on )?the same device"
             r"|'lengths' argument should be a 1D CPU int64 tensor"
             r"|RNG state must be a torch.ByteTensor"
             r"|cannot pin '\S+' only dense CPU tensors can be pinned"
             r"|Gather function not implemented for CPU tensors")
_KEYS = r"Error\(s\) in loading state_dict|KeyError"
_ORDINAL = r"invalid device ordinal|No CUDA GPUs are available|Invalid device id"

# The error that a run raises at a mark of the rule.
_RAISED_AT_THE_MARK = {
    "data-parallel-attribute": r"object has no attribute|StopIteration",
    "data-parallel-loss": r"grad can be implicitly created only for scalar outputs"
                          r"|a Tensor with \d elements cannot be converted to Scalar"
                          r"|only one element tensors can be converted",
    "data-parallel-placement": r"module must have its parameters and buffers on device",
    "ddp-setup": r"DistributedDataParallel device_ids and output_device arguments only work"
                 r"|device_ids can only be None or contain a single element"
                 r"|input module must be on the same type of devices"
                 r"|Default process group has not been initialized"
                 r"|Tensors must be CUDA and dense|No backend type associated with device type cpu",
    "device-mismatch": _MISMATCH,
    "generator-device": r"Expected a '(cpu|cuda)' device type for generator but found '(cpu|cuda)'",
    "hardcoded-device": _MISMATCH,
    "missing-key": r"KeyError",
    "numpy-on-device": r"can't convert cuda:\d device type tensor to numpy",
    "optimizer-state-device": _MISMATCH,
    "state-dict-prefix": _KEYS,
}

# Rules that name a cause: the error comes later, elsewhere or never.
_RAISED_LATER = {
    "async-copy-read": None,
    "cuda-current-device": None,
    "pageable-copy": None,
    "slow-data-loader": None,
    "step-synchronization": None,
    "data-parallel-lost-state": None,
    "discarded-transfer": _MISMATCH,
    "failed-placement-check": r"AssertionError|RuntimeError",
    "invalid-device": r"Invalid device string|Expected one of cpu|'int' object is not callable"
                      r"|Expected `device_type` of type `str`|User specified autocast device_type|" + _ORDINAL,
    "missing-map-location": r"Attempting to deserialize object on a?.*CUDA device|" + _MISMATCH,
    "non-leaf-parameter": r"can't optimize a non-leaf Tensor",
    "prefix-strip-anywhere": _KEYS,
    "stale-optimizer": None,
    "state-dict-silent-miss": None,
    "unregistered-state": _MISMATCH + r"|optimizer got an empty parameter list",
    "visible-devices": _ORDINAL + r"|takes 3 positional arguments",
    "wrong-device-guard": _MISMATCH,
}

# Rules whose examples take several processes, each with a GPU of NCCL's, or wait forever.
_OF_SEVERAL_RANKS = {"collective-in-branch", "rank-device"}


def _paths():
    return sorted(glob.glob(os.path.join(_ROOT, "testdata/*/*.py")))


def _release():
    """Of the PyTorch that runs the fixtures."""
    import torch  # pylint: disable=import-outside-toplevel
    major, minor = torch.__version__.split(".")[:2]
    return int(major), int(minor)


def _write_examples(folder):
    """Paths of files with the examples of the rules' pages."""
    paths = []
    for page in sorted(glob.glob(os.path.join(_ROOT, "rules/docs/*.md"))):
        with open(page, encoding="utf-8") as text:
            found = re.findall(r"^```python (bad|good)\n(.*?)^```$", text.read(), re.DOTALL | re.MULTILINE)
        for kind, source in found:
            rule = os.path.splitext(os.path.basename(page))[0]
            if rule in _OF_SEVERAL_RANKS:
                continue
            paths.append(os.path.join(folder, f"{rule}_{kind}.py"))
            with open(paths[-1], "w", encoding="utf-8") as file:
                file.write(source)
    return paths


def _native_environment(folder):
    """With the library that this build made."""
    libraries = [{"torch": name} for name in ("libc10.so", "libtorch_cpu.so", "libtorch.so")]
    with open(os.path.join(folder, "libraries.json"), "w", encoding="utf-8") as manifest:
        json.dump([*libraries, {"own": _LIBRARY}], manifest)
    return {"PLACECHECK_NATIVE": folder}


def _run(paths, environment):
    """Each fixture's Outcome, by path."""
    command = [sys.executable, os.path.join(_PACKAGE, "placecheck_run.py"), "--gpus=4", "--",
               sys.executable, os.path.join(_HERE, "run_fixtures.py"), *paths]
    paths_of_modules = os.pathsep.join([_HERE, os.path.join(_HERE, "standins"), _BATTERY,
                                        os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(command, env={**os.environ, **environment, "PYTHONPATH": paths_of_modules,
                                         "OMP_NUM_THREADS": "1"},
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=280,
                          check=False)
    if done.returncode != 0:
        raise AssertionError(f"the runner failed:\n{done.stderr}")
    records = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    return {record.pop("program"): programs.Outcome(**record) for record in records}


def _confirms(mark, outcome):
    """Whether the run shows what the mark says; None where a run cannot show it."""
    pattern = _RAISED_AT_THE_MARK.get(mark.rule)
    if pattern is not None:
        return (outcome.ended == "raised" and mark.line in outcome.lines
                and re.search(pattern, outcome.describe()) is not None)
    pattern = _RAISED_LATER[mark.rule]
    if outcome.ended == "raised" and pattern is not None:
        return re.search(pattern, outcome.describe()) is not None
    return None


def fault(fixture, outcome):
    """What a run says otherwise than the fixture's marks, None where they agree."""
    if outcome.ended not in ("finished", "raised"):
        return outcome.describe()
    if not fixture.faults:
        return None if outcome.ended == "finished" else f"nothing is marked, and it {outcome.describe()}"
    answers = [_confirms(mark, outcome) for mark in fixture.faults]
    if True in answers:
        return None
    if outcome.ended == "raised":
        return f"raised at lines {outcome.lines}, which no mark explains: {outcome.describe()}"
    return "ran to its end, although a mark predicts an error" if False in answers else None


class AgreementTest(unittest.TestCase):

    def test_there_are_fixtures(self):
        self.assertGreaterEqual(len(_paths()), 80)

    def test_every_mark_names_a_rule_whose_error_is_known(self):
        known = {*_RAISED_AT_THE_MARK, *_RAISED_LATER}
        for path in _paths():
            for mark in marks.read(path).marks:
                self.assertIn(mark.rule, known, f"{path}:{mark.line}")

    def test_good_fixtures_have_no_marks(self):
        for path in _paths():
            if path.endswith("_good.py"):
                self.assertEqual(marks.read(path).marks, [], path)

    @unittest.skipIf(importlib.util.find_spec("torch") is None,
                     "this Python has no torch; on Debian: apt-get install python3-torch")
    def test_runs_end_as_the_marks_say(self):
        with tempfile.TemporaryDirectory() as folder:
            paths = [*_paths(), *_write_examples(folder)]
            self.assertGreaterEqual(len(paths), len(_paths()) + 20)
            fixtures = {path: marks.read(path) for path in paths}
            fixtures = {path: each for path, each in fixtures.items() if each.torch <= _release()}
            self.assertGreaterEqual(len(fixtures), len(paths) - 8)
            outcomes = _run(list(fixtures), _native_environment(folder))
        self.assertEqual(sorted(outcomes), sorted(fixtures))
        for path, fixture in fixtures.items():
            with self.subTest(os.path.relpath(path, _ROOT)):
                problem = fault(fixture, outcomes[path])
                self.assertIsNone(problem, f"{problem}\n{outcomes[path].output}")


if __name__ == "__main__":
    unittest.main()
