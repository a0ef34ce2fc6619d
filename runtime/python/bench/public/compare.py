"""Public training scripts on two virtual GPUs: their losses against the CPU's, and what a missing move does.

    python compare.py --checkouts=FOLDER [--only=NAME] [--losses=N]

FOLDER holds a checkout of each repository in scripts.py, as owner/name. Each script is started three times, in
copies: on the CPU, on two virtual GPUs, and there with one move to the device taken out.
"""

import argparse
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from typing import List, NamedTuple, Optional, Sequence

import data
from scripts import SCRIPTS, Edit, Script

_PACKAGE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Run(NamedTuple):
    losses: List[float]
    output: str


def _edit(path: str, edits: Sequence[Edit]) -> None:
    with open(path, encoding="utf-8") as file:
        text = file.read()
    for old, new in edits:
        if text.count(old) != 1:
            raise RuntimeError(f"{path} is of another version: it has {text.count(old)} times {old!r}")
        text = text.replace(old, new)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def _command(script: Script, placement: str) -> List[str]:
    text = script.command
    text = text.replace("{placement}", placement) if "{placement}" in text else f"{text} {placement}"
    return [sys.executable, "-m", "placecheck.run", "--gpus=2", "--cpu-random", "--", sys.executable,
            *shlex.split(text)]


def _end(child: subprocess.Popen) -> None:
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def _output_until(child: subprocess.Popen, script: Script, losses: int) -> Run:
    """What the script prints until it ends, or until it has told enough losses."""
    lines, found = [], []
    for line in child.stdout:
        lines.append(line)
        found += [float(text) for text in re.findall(script.loss, line)]
        if len(found) >= losses:
            break
    return Run(found[:losses], "".join(lines))


def _run(script: Script, options: argparse.Namespace, placement: str, edits: Sequence[Edit],
         environment: Optional[dict] = None) -> Run:
    with tempfile.TemporaryDirectory(prefix="placecheck-") as scratch:
        copy = os.path.join(scratch, "copy")
        shutil.copytree(os.path.join(options.checkouts, script.repository), copy,
                        ignore=shutil.ignore_patterns(".git"))
        folder = os.path.normpath(os.path.join(copy, script.folder))
        for kind, place in script.data.items():
            data.WRITERS[kind](os.path.normpath(os.path.join(folder, place)))
        _edit(os.path.join(folder, script.file), edits)
        variables = {**os.environ, "OMP_NUM_THREADS": "1", **(environment or {})}
        variables["PYTHONPATH"] = os.pathsep.join(
            [_PACKAGE, copy, *filter(None, [os.environ.get("PYTHONPATH")])])
        with subprocess.Popen(_command(script, placement), cwd=folder, env=variables, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              errors="replace", start_new_session=True) as child:
            timer = threading.Timer(options.timeout, _end, [child])
            timer.start()
            run = _output_until(child, script, options.losses)
            timer.cancel()
            _end(child)
        return run


def _largest_difference(host: Run, virtual: Run, losses: int) -> str:
    if len(host.losses) < losses or len(virtual.losses) < losses:
        return f"{len(host.losses)} and {len(virtual.losses)} losses"
    # Processes print in any order.
    pairs = zip(sorted(host.losses), sorted(virtual.losses))
    return f"{max(abs(a - b) / max(abs(a), 1e-3) for a, b in pairs):.1e}"


def _failure(script: Script, run: Run) -> str:
    """Where the script without the move ended, and which line of its own placecheck names."""
    lines = run.output.splitlines()
    name = os.path.basename(script.fails_in or script.file)
    raised = [i for i, line in enumerate(lines)
              if script.fails_at in line and any(f"{name}\", line" in before for before in lines[max(0, i - 2):i])]
    errors = [line for line in lines if re.search(r"RuntimeError: .*(device|type)", line)]
    if not raised or not errors:
        return "not raised in that line"
    told = re.findall(r"placecheck: '(\w+)' \[.*\] is on cpu since (\S+:\d+)", run.output)
    return f"raised; `{told[0][0]}` is on the CPU since {told[0][1]}" if told else "raised"


def _compare(script: Script, options: argparse.Namespace) -> bool:
    host = _run(script, options, script.on_cpu, script.cpu_edits,
                {} if script.cpu_edits else {"CUDA_VISIBLE_DEVICES": ""})
    virtual = _run(script, options, script.on_gpu, ())
    broken = _run(script, options, script.on_gpu, (script.removed,))
    difference, failure = _largest_difference(host, virtual, options.losses), _failure(script, broken)
    print(f"| {script.name} | {script.repository} | {len(virtual.losses)} | {difference} | {failure} |", flush=True)
    if options.details:
        for title, run in (("CPU", host), ("virtual GPUs", virtual), ("without the move", broken)):
            print(f"--- {title}: {run.losses}\n{run.output[-options.details:]}", flush=True)
    try:
        return float(difference) < 1e-3 and failure.startswith("raised")
    except ValueError:
        return False


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--checkouts", required=True, metavar="FOLDER")
    parser.add_argument("--only", default="", metavar="NAME", help="scripts whose name contains this")
    parser.add_argument("--losses", type=int, default=6, metavar="N", help="how many losses are compared (6)")
    parser.add_argument("--timeout", type=float, default=300, metavar="SECONDS", help="of one run (300)")
    parser.add_argument("--details", type=int, default=0, metavar="N", help="show the last N characters of each run")
    options = parser.parse_args()
    print("| script | repository | losses | largest relative difference | without the move |\n|---|---|---|---|---|")
    return 0 if all([_compare(script, options) for script in SCRIPTS if options.only in script.name]) else 1


if __name__ == "__main__":
    sys.exit(main())
