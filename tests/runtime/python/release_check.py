"""Checks virtual GPUs under one release of PyTorch from PyPI, in an environment of its own.

    python3 tests/runtime/python/release_check.py 2.15.0 [--folder=FOLDER] [--quick]

Installs the wheel without NVIDIA's packages and without Triton, compiles the virtual GPUs for it, and runs the
tests that a wheel can run and the battery of wrong and right programs. The last line is the count of cases,
`N passed, N failed`; the exit code is 1 where one failed. `--quick` leaves out what starts a process for each
rank. Needs Python's pip, a C++ compiler, a gigabyte to download and three on disk.
"""

import argparse
import os
import re
import subprocess
import sys
from typing import List, NamedTuple, Optional

_HERE = os.path.dirname(os.path.abspath(__file__))
_ROOT = _HERE.rpartition("/tests/runtime/python")[0]
_RUN = os.path.join(_ROOT, "runtime", "python", "placecheck_run.py")
_BATTERY = os.path.join(_ROOT, "runtime", "python", "bench", "battery", "compare.py")

# What PyTorch's Python imports beside NVIDIA's packages, and what the programs use.
_PACKAGES = ("filelock", "fsspec", "jinja2", "networkx", "numpy", "setuptools", "sympy",
             "typing_extensions")
_TESTS = ("activation_test", "faults_test", "programs_test")
_TESTS_OF_RANKS = ("distributed_test",)

_RAN = re.compile(r"^Ran (\d+) tests? in", re.MULTILINE)
_RESULT = re.compile(r"^(?:OK|FAILED)(?: \((?P<kinds>.*)\))?$", re.MULTILINE)
_ROW = re.compile(r"^\| placecheck-run \| .*?\| \d+ of \d+ \| (\d+) of (\d+) \| (\d+) of (\d+) \|$",
                  re.MULTILINE)


class Count(NamedTuple):
    passed: int
    failed: int

    def __add__(self, other: "Count") -> "Count":  # type: ignore[override]
        return Count(self.passed + other.passed, self.failed + other.failed)


def count_of_unittest(output: str) -> Optional[Count]:
    """None where unittest did not come to its end."""
    ran, result = _RAN.search(output), _RESULT.search(output)
    if ran is None or result is None:
        return None
    kinds = dict(re.findall(r"(\w+)=(\d+)", result.group("kinds") or ""))
    failed = sum(int(kinds.get(kind, 0)) for kind in ("failures", "errors"))
    return Count(int(ran.group(1)) - failed - int(kinds.get("skipped", 0)), failed)


def count_of_battery(output: str) -> Optional[Count]:
    row = _ROW.search(output)
    if row is None:
        return None
    raised, wrong, ran, right = map(int, row.groups())
    return Count(raised + ran, wrong - raised + right - ran)


def _say(text: str) -> None:
    print(f"release_check: {text}", flush=True)


def _call(command: List[str], **environment: str) -> None:
    subprocess.run(command, env=dict(os.environ, **environment), check=True)


def install(release: str, folder: str) -> str:
    """The interpreter of an environment with that release."""
    python = os.path.join(folder, "bin", "python")
    if not os.path.exists(python):
        # Debian's Python has pip and venv, but not what puts pip into a new environment.
        _call([sys.executable, "-m", "venv", "--without-pip", folder])
    # A gigabyte comes over the network while other tests run.
    pip = [sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--retries", "10",
           "--timeout", "60", "--disable-pip-version-check", "--no-warn-conflicts"]
    _call([*pip, "--no-deps", f"torch=={release}"])
    _call([*pip, *_PACKAGES])
    return python


def _output_of(command: List[str], python: str, **environment: str) -> str:
    done = subprocess.run(command, env=dict(os.environ, PYTHON=python, **environment),
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", check=False)
    return done.stdout


def run_test(name: str, python: str) -> Count:
    output = _output_of([python, "-m", "unittest", name], python, PYTHONPATH=_HERE)
    count = count_of_unittest(output)
    if count is None or count.failed:
        print(output, flush=True)
    return count or Count(0, 1)


def run_battery(python: str, is_quick: bool) -> Count:
    command = [python, _BATTERY, "--ways=placecheck", "--details"]
    if is_quick:
        command.append("--one-process")
    output = _output_of(command, python)
    print(output, flush=True)
    return count_of_battery(output) or Count(0, 1)


def check(python: str, is_quick: bool) -> Count:
    total = Count(0, 0)
    for name in _TESTS if is_quick else _TESTS + _TESTS_OF_RANKS:
        count = run_test(name, python)
        _say(f"{name}: {count.passed} passed, {count.failed} failed")
        total += count
    return total + run_battery(python, is_quick)


def _parse(arguments: Optional[List[str]]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n", maxsplit=1)[0])
    parser.add_argument("release", help="of PyTorch, as PyPI has it: 2.15.0")
    parser.add_argument("--folder", help="the environment, made where it is not there "
                                         "(~/.cache/placecheck/releases/RELEASE)")
    parser.add_argument("--quick", action="store_true", help="programs of one process only")
    options = parser.parse_args(arguments)
    options.folder = options.folder or os.path.join(
        os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "placecheck",
        "releases", options.release)
    return options


def main(arguments: Optional[List[str]] = None) -> int:
    options = _parse(arguments)
    try:
        python = install(options.release, options.folder)
        _say(f"compiling the virtual GPUs for PyTorch {options.release}")
        _call([sys.executable, _RUN, "--", python, "-c", "import torch; torch.ones(1).cuda()"])
    except subprocess.CalledProcessError as error:
        print(f"release_check: failed: {' '.join(map(str, error.cmd))}", file=sys.stderr)
        print("0 passed, 1 failed")
        return 1
    total = check(python, options.quick)
    print(f"{total.passed} passed, {total.failed} failed")
    return 1 if total.failed else 0


if __name__ == "__main__":
    sys.exit(main())
