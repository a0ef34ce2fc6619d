#!/usr/bin/env python3
"""What readers of source code report on programs with one mistake of placement each, and on right ones.

    other_tools.py [--placecheck=COMMAND] [--clang-tidy=COMMAND] [--torchfix=COMMAND]
                   [--torch-preflight=COMMAND] [--details]

The Python programs are those of runtime/python/bench/battery; the C++ and CUDA programs are the examples of
the rules' pages. Of each wrong one it is asked whether anything is reported on the line of the mistake, of
each right one whether anything is reported at all. What a tool cannot read for want of headers is not counted.
A tool whose command is not given is left out.
"""

import argparse
import glob
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from typing import Dict, Iterable, List, NamedTuple, Set, Tuple

_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
_BATTERY = os.path.join(_ROOT, "runtime/python/bench/battery")
_EXTENSIONS = {"cpp": ".cc", "cuda": ".cu", "extension": ".cu"}
_MARKS = r"(//|#) expect: |  # raises$"
# Checks of clang-tidy that look for mistakes; the others look at style.
_TIDY_CHECKS = "-*,bugprone-*,clang-analyzer-*,concurrency-*,clang-diagnostic-*"

Reports = Dict[str, List[Tuple[int, str]]]  # by file: line and check
_UNREAD = [(0, "could not be read")]  # for want of a header that the tool does not bring along


class Program(NamedTuple):
    path: str
    lines: Set[int]  # where the mistake shows; empty in a right program


def marked(path: str) -> Program:
    with open(path, encoding="utf-8") as file:
        lines = {number for number, line in enumerate(file, 1) if re.search(_MARKS, line)}
    return Program(path, lines)


def python_programs() -> List[Program]:
    found = []
    for path in sorted(glob.glob(os.path.join(_BATTERY, "*", "*.py"))):
        program = marked(path)
        # A mistake that is raised nowhere in particular has no line to be found on.
        if program.lines or os.path.basename(os.path.dirname(path)) == "right":
            found.append(program)
    return found


def cpp_programs(folder: str) -> List[Program]:
    found = []
    for page in sorted(glob.glob(os.path.join(_ROOT, "rules/docs/*.md"))):
        name = os.path.basename(page)[:-len(".md")]
        with open(page, encoding="utf-8") as file:
            blocks = re.findall(r"^```(cpp|cuda|extension) (bad|good)\n(.*?)^```$", file.read(),
                                re.M | re.S)
        for number, (language, kind, text) in enumerate(blocks):
            path = os.path.join(folder, f"{name}-{kind}-{number}{_EXTENSIONS[language]}")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            found.append(marked(path))
    return found


def output_of(command: List[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode < 0:
        raise SystemExit(f"{command[0]}: ended by signal {-done.returncode}")
    return done.stdout


def by_pattern(text: str, pattern: str) -> Reports:
    reports: Reports = {}
    for file, line, check in re.findall(pattern, text, re.M):
        reports.setdefault(os.path.realpath(file), []).append((int(line), check))
    return reports


def placecheck(command: List[str], paths: List[str]) -> Reports:
    reports: Reports = {}
    for path in paths:  # each is a program of its own
        flags = [] if path.endswith(".py") else ["--", f"-I{_ROOT}"]
        report = json.loads(output_of([*command, "--format=json", "--no-context", path, *flags]))
        partly = [file for file in report["files"] if file["status"] != "understood"]
        if partly:
            raise SystemExit(f"placecheck: {path}: {partly[0]['first_error']}")
        for each in report["findings"]:
            reports.setdefault(path, []).append((each["line"], each["rule"]))
    return reports


def clang_tidy(command: List[str], paths: List[str]) -> Reports:
    reports: Reports = {}
    for path in paths:
        flags = [f"-I{_ROOT}", "-isystem/usr/include/torch/csrc/api/include", "-std=c++17"]
        if path.endswith(".cu"):
            # CUDA 13 keeps thrust in a folder of its own.
            toolkit = os.environ.get("CUDA_HOME", "/usr/local/cuda")
            flags += ["--cuda-host-only", "-nocudalib", f"-isystem{toolkit}/include/cccl"]
        text = output_of([*command, "--quiet", f"--checks={_TIDY_CHECKS}", path, "--", *flags])
        if re.search(r"^(\S+:\d+:\d+: )?error: ", text, re.M):
            reports[path] = _UNREAD
        else:
            reports.update(by_pattern(text, r"^(\S+):(\d+):\d+: warning: .*\[(\S+)\]$"))
    return reports


def torchfix(command: List[str], paths: List[str]) -> Reports:
    return by_pattern(output_of([*command, "--select=ALL", *paths]), r"^(\S+):(\d+):\d+: (TOR\d+)")


def torch_preflight(command: List[str], paths: List[str]) -> Reports:
    reports: Reports = {}
    for each in json.loads(output_of([*command, "check", "-f", "json", *paths]))["diagnostics"]:
        reports.setdefault(os.path.realpath(each["path"]), []).append((each["line"], each["code"]))
    return reports


_TOOLS = {"placecheck": (placecheck, ".py.cc.cu"), "clang-tidy": (clang_tidy, ".cc.cu"),
          "torchfix": (torchfix, ".py"), "torch-preflight": (torch_preflight, ".py")}


def named(checks: Iterable[str]) -> str:
    """The checks that reported; a few of them."""
    different = sorted(set(checks))
    return ", ".join(different[:5]) + (f" and {len(different) - 5} more" if different[5:] else "")


def row(tool: str, language: str, programs: List[Program], reports: Reports, details: bool) -> str:
    unread = [each.path for each in programs if reports.get(each.path) == _UNREAD]
    wrong = [each for each in programs if each.lines and each.path not in unread]
    right = [each for each in programs if not each.lines and each.path not in unread]
    on_line = {each.path: [check for line, check in reports.get(each.path, [])
                           if line in each.lines] for each in wrong}
    found = [path for path, checks in on_line.items() if checks]
    alarms = [each.path for each in right if reports.get(each.path)]
    if details:
        for path in unread:
            print(f"{tool}: could not be read: {os.path.basename(path)}")
        for path in [path for path in on_line if path not in found]:
            print(f"{tool}: not on its line: {os.path.basename(path)}: {reports.get(path, '')}")
        for path in alarms:
            print(f"{tool}: in a right program: {os.path.basename(path)}: {reports[path]}")
    return (f"| {tool} | {language} | {len(found)} of {len(wrong)} | "
            f"{named(check for path in found for check in on_line[path])} | "
            f"{len(alarms)} of {len(right)} | "
            f"{named(check for path in alarms for _, check in reports[path])} |")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    for tool in _TOOLS:
        parser.add_argument(f"--{tool}", metavar="COMMAND")
    parser.add_argument("--details", action="store_true", help="name the programs and the checks")
    options = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        sets = {"Python": python_programs(), "C++, CUDA": cpp_programs(os.path.realpath(folder))}
        for tool, (run, endings) in _TOOLS.items():
            command = shlex.split(getattr(options, tool.replace("-", "_")) or "")
            for language, programs in sets.items():
                ending = os.path.splitext(programs[0].path)[1]
                if command and ending in endings:
                    reports = run(command, [each.path for each in programs])
                    rows.append(row(tool, language, programs, reports, options.details))
    print("| tool | language | wrong programs reported on their line | by | "
          "right programs with a report | by |")
    print("|---|---|---|---|---|---|")
    print("\n".join(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
