"""Compares ways to run GPU programs on a machine without a GPU, over the programs of this folder.

    python compare.py [--ways=placecheck,plain,fake-tensor,fakegpu] [--python=WAY=PATH ...]
                      [--fakegpu=FOLDER] [--details]

Of each program in wrong/ it is asked whether the mistake is raised, on its line and in PyTorch's words;
of each in right/, whether it runs to its end. Two GPUs are assumed.
"""

import argparse
import glob
import json
import os
import subprocess
import sys

import programs

_HERE = os.path.dirname(os.path.abspath(__file__))
_PACKAGE = os.path.dirname(os.path.dirname(_HERE))
_WAYS = {"placecheck": "placecheck-run", "plain": "plain PyTorch", "fake-tensor": "FakeTensorMode",
         "fakegpu": "FakeGPU"}
_SHOW_VERSION = "import torch; print(torch.__version__)"


class WayFailed(RuntimeError):
    """A way cannot be tried here; the text says why."""


def _starts_processes(path):
    with open(path, encoding="utf-8") as source:
        return "multiprocessing" in source.read()


def _paths(kind, options):
    paths = sorted(glob.glob(os.path.join(_HERE, kind, "*.py")))
    return [path for path in paths if not (options.one_process and _starts_processes(path))]


def _launcher(way, python):
    if way != "placecheck":
        return []
    return [python, "-m", "placecheck.run", "--gpus=2", "--"]


def _environment(way, options):
    added = {"placecheck": _PACKAGE, "fakegpu": options.fakegpu}.get(way)
    environment = dict(os.environ)
    if added:
        rest = environment.get("PYTHONPATH")
        environment["PYTHONPATH"] = os.pathsep.join([added] + ([rest] if rest else []))
    return environment


def _records(way, python, options):
    """A record for each program, as runner.py prints them."""
    command = _launcher(way, python) + [
        python, os.path.join(_HERE, "runner.py"), f"--timeout={options.timeout}",
        f"--way={'plain' if way == 'placecheck' else way}",
        *_paths("wrong", options), *_paths("right", options)]
    done = subprocess.run(command, env=_environment(way, options), stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, check=False)
    records = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    if done.returncode != 0 or not records:
        raise WayFailed((done.stderr.strip().splitlines() or ["no reason given"])[-1])
    return records


def _version(way, python, options):
    done = subprocess.run(_launcher(way, python) + [python, "-c", _SHOW_VERSION],
                          env=_environment(way, options), stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True, check=False)
    return (done.stdout.split() or ["not importable"])[-1]


def _count(records):
    """Per kind: programs, and how many did what; and what each fault was."""
    counts = dict.fromkeys(["wrong", "raised", "own text", "right", "finished"], 0)
    faults = []
    for record in records:
        program = programs.read(record["program"])
        outcome = programs.Outcome(**{key: record[key] for key in programs.Outcome._fields})
        if program.raises:
            counts["wrong"] += 1
            raised = programs.is_raised_where_meant(program, outcome)
            counts["raised"] += raised
            counts["own text"] += raised and programs.has_own_text(program, outcome)
        else:
            counts["right"] += 1
            counts["finished"] += outcome.ended == "finished"
        fault = programs.fault(program, outcome)
        if fault:
            faults.append((program.name, fault.split("\n")[0][:200]))
    return counts, faults


def _print_row(title, version, counts):
    print(f"| {title} | {version} | {counts['raised']} of {counts['wrong']} "
          f"| {counts['own text']} of {counts['wrong']} "
          f"| {counts['finished']} of {counts['right']} |", flush=True)


def _parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--ways", default="placecheck,plain,fake-tensor,fakegpu",
                        type=lambda text: text.split(","), help="which, in this order")
    parser.add_argument("--python", action="append", default=[], metavar="WAY=PATH",
                        help="the interpreter of a way (this one)")
    parser.add_argument("--fakegpu", metavar="FOLDER", default=os.environ.get("FAKEGPU"),
                        help="a checkout of github.com/FanBB2333/FakeGPU ($FAKEGPU)")
    parser.add_argument("--timeout", type=float, default=90, help="seconds for each program (90)")
    parser.add_argument("--one-process", action="store_true",
                        help="leave out programs that start others, which take most of the time")
    parser.add_argument("--details", action="store_true", help="list what is not as expected")
    options = parser.parse_args(arguments)
    unknown = set(options.ways) - set(_WAYS)
    if unknown:
        parser.error(f"unknown ways: {', '.join(sorted(unknown))}")
    return options


def main(arguments=None):
    options = _parse(arguments)
    pythons = dict(item.split("=", 1) for item in options.python)
    all_faults = []
    print("| way | torch | mistakes raised on their line | in PyTorch's words "
          "| right programs that run |\n|---|---|---|---|---|", flush=True)
    for way in options.ways:
        python = pythons.get(way, sys.executable)
        if way == "fakegpu" and not options.fakegpu:
            print(f"| {_WAYS[way]} | | not tried: give --fakegpu=FOLDER | | |", flush=True)
            continue
        try:
            counts, faults = _count(_records(way, python, options))
        except WayFailed as error:
            print(f"| {_WAYS[way]} | | failed: {error} | | |", flush=True)
            continue
        _print_row(_WAYS[way], _version(way, python, options), counts)
        all_faults += [(way, *fault) for fault in faults]
    if options.details:
        print("\n" + "\n".join(f"{way}: {name}: {text}" for way, name, text in all_faults))


if __name__ == "__main__":
    main()
