"""placecheck-run: runs a program on virtual GPUs, or on real ones with its calls judged.

    placecheck-run [--gpus=N] [--memory=SIZE] [--report=FILE] -- COMMAND [ARGUMENTS...]
    placecheck-run --real [--report=FILE] -- COMMAND [ARGUMENTS...]
"""

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from typing import Dict, List, Optional

from . import __version__, programs, real, report
from .activate import ENVIRONMENT

_MOST_GPUS = 64
_UNITS = {"": 1, "B": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "TiB": 2**40,
          "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40, "KB": 10**3, "MB": 10**6, "GB": 10**9}


def _gpus(text: str) -> int:
    if not text.isdigit() or int(text) > _MOST_GPUS:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number from 0 to {_MOST_GPUS}")
    return int(text)


def _memory(text: str) -> int:
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([A-Za-z]*)", text)
    if match is None or match.group(2) not in _UNITS:
        raise argparse.ArgumentTypeError(f"'{text}' is not a size such as 16GiB or 800MiB")
    return int(float(match.group(1)) * _UNITS[match.group(2)])


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="placecheck-run",
        usage="placecheck-run [options] -- COMMAND [ARGUMENTS...]",
        description="Runs a program on virtual GPUs: PyTorch programs without a change, in Python or "
                    "C++, and programs that call CUDA and NCCL. No GPU is needed, but with --real.",
        epilog="Example: placecheck-run --gpus=2 -- python train.py --epochs 1")
    parser.add_argument("--gpus", type=_gpus, metavar="N", help="how many GPUs there are (2)")
    parser.add_argument("--memory", type=_memory, metavar="SIZE",
                        help="memory of each GPU, such as 800MiB (16GiB)")
    parser.add_argument("--report", metavar="FILE",
                        help="go on after each mistake and add it to FILE, instead of raising it; "
                             "FILE.json and FILE.sarif are written in that form")
    parser.add_argument("--cpu-random", action="store_true",
                        help="GPUs draw the CPU's random numbers: losses equal a run on the CPU")
    parser.add_argument("--real", action="store_true",
                        help="run on the GPUs of this machine: calls of CUDA, cuBLAS and NCCL are judged, "
                             "then forwarded; PyTorch's errors say where their operands came from")
    parser.add_argument("--version", action="version", version=f"placecheck-run {__version__}")
    parser.add_argument("command", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    return parser


def _check_together(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    """What is said of virtual GPUs says nothing of real ones."""
    virtual = {"--gpus": options.gpus is not None, "--memory": options.memory is not None,
               "--cpu-random": options.cpu_random}
    for option, is_given in virtual.items():
        if options.real and is_given:
            parser.error(f"{option} is for virtual GPUs, but --real uses those of this machine")


def _prepend(variable: str, folders: List[str], environment: Dict[str, str]) -> None:
    rest = [part for part in environment.get(variable, "").split(os.pathsep)
            if part and part not in folders]
    environment[variable] = os.pathsep.join([*folders, *rest])


def _with_site(environment: Dict[str, str]) -> Dict[str, str]:
    """A copy in which every Python process finds this package before its first line."""
    result = dict(environment)
    here = os.path.dirname(os.path.realpath(__file__))
    _prepend("PYTHONPATH", [os.path.join(here, "site")], result)
    return result


def virtual_environment(environment: Dict[str, str], gpus: Optional[int], memory: Optional[int],
                        report_file: Optional[str]) -> Dict[str, str]:
    """A copy of `environment` in which every Python process gets virtual GPUs."""
    result = _with_site(environment)
    result[ENVIRONMENT] = "1"
    if gpus is not None:
        result["PLACECHECK_VIRTUAL_DEVICES"] = str(gpus)
    if memory is not None:
        result["PLACECHECK_VIRTUAL_MEMORY"] = str(memory)
    if report_file is not None:
        result["PLACECHECK_TORCH_REPORT"] = os.path.abspath(report_file)
        result["PLACECHECK_CUDA_REPORT"] = os.path.abspath(report_file)
    return result


def _environment_of(options: argparse.Namespace) -> Dict[str, str]:
    if options.real:
        return real.environment_for(_with_site(dict(os.environ)), options.report)
    environment = virtual_environment(dict(os.environ), options.gpus, options.memory,
                                      options.report)
    if options.cpu_random:
        environment["PLACECHECK_TORCH_CPU_RANDOM"] = "1"
    return environment


def _run_and_convert(program: str, command: List[str], environment: Dict[str, str],
                     target: str) -> int:
    """Runs the program as a child, since the report takes its form when the program has ended."""
    with tempfile.TemporaryDirectory(prefix="placecheck-") as folder:
        text = os.path.join(folder, "report.txt")
        for variable in report.VARIABLES:
            environment[variable] = text
        child = subprocess.Popen(command, executable=program, env=environment)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, lambda received, _: child.send_signal(received))
        code = child.wait()
        report.convert(text, target)
    return code if code >= 0 else 128 - code


def main(arguments: Optional[List[str]] = None) -> int:
    parser = _parser()
    options = parser.parse_args(arguments)
    _check_together(parser, options)
    command = options.command[1:] if options.command[:1] == ["--"] else options.command
    if not command:
        parser.error("no command is given; write it after --, as in: placecheck-run -- python "
                     "train.py")
    # Under `bazel run` the program's folder is not where the user stands.
    os.chdir(os.environ.get("BUILD_WORKING_DIRECTORY", "."))
    program = shutil.which(command[0])
    if program is None:
        print(f"placecheck-run: '{command[0]}' is not a program that can be run", file=sys.stderr)
        return 127
    environment = _environment_of(options)
    programs.warn_of_static_cuda(program)
    try:
        if options.real:
            real.add_preload(environment)
        else:
            programs.add_preloads(program, environment)
    except RuntimeError as error:
        print(error, file=sys.stderr)
        return 2
    if options.report and options.report.endswith((".json", ".sarif")):
        return _run_and_convert(program, command, environment, options.report)
    sys.stdout.flush()
    os.execve(program, command, environment)
    return 127  # not reached: execve returns only by raising


if __name__ == "__main__":
    sys.exit(main())
