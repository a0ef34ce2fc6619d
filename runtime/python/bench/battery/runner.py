"""Runs programs, each in a process of its own that is forked after `import torch`, and prints how each
ended as a line of JSON.

    python runner.py [--way=WAY] [--timeout=SECONDS] PROGRAM...

WAY is what is done around the programs: `plain`, nothing; `fake-tensor`, FakeTensorMode; `fakegpu`,
FakeGPU's activation. Under placecheck-run it is `plain`.
"""

import argparse
import contextlib
import json
import os
import re
import runpy
import select
import signal
import sys
import tempfile
import time
import traceback

import programs


def _exit_code(error):
    code = error.code if isinstance(error, SystemExit) else None
    return 0 if code is None or code == 0 else 1


def _outcome_of(error, path):
    """The exception as an Outcome; a child's traceback is part of its parent's text."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__)
             if os.path.realpath(frame.filename) == os.path.realpath(path)]
    text = str(error)
    lines += [int(n) for n in re.findall(re.escape(os.path.basename(path)) + r'", line (\d+)', text)]
    classes = [cls.__name__ for cls in type(error).__mro__]
    # A replica's or a rank's exception is named in the text of the one that carries it.
    classes += re.findall(r"^(?:\w+\.)*(\w+(?:Error|Exception)):", text, re.MULTILINE)
    return programs.Outcome("raised", classes, text, lines)


@contextlib.contextmanager
def _fake_tensors():
    from torch._subclasses.fake_tensor import FakeTensorMode

    with FakeTensorMode(allow_non_fake_inputs=True):
        yield


def _run_here(path, way):
    sys.argv = [path]
    sys.path.insert(0, os.path.dirname(path))
    with _fake_tensors() if way == "fake-tensor" else contextlib.nullcontext():
        try:
            runpy.run_path(path, run_name="__main__")
        except SystemExit as error:
            if _exit_code(error) != 0:
                return _outcome_of(error, path)
        except BaseException as error:  # whatever a program raises is its outcome
            return _outcome_of(error, path)
    return programs.Outcome("finished")


def _child(program, way, result, output):
    """Runs in the forked process; does not return."""
    os.setpgid(0, 0)
    os.dup2(output, 1)
    os.dup2(output, 2)
    os.environ.update(program.environment)
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        outcome = _run_here(program.path, way)
        os.chdir("/")
    sys.stdout.flush()
    sys.stderr.flush()
    with os.fdopen(result, "w") as pipe:
        pipe.write(json.dumps(outcome._asdict()) + "\n")
    # The exit handlers are the parent's, and threads that were not forked would be waited for.
    os._exit(0)


def _read_until(pipe, deadline):
    """The line that is written to `pipe`, or what there is of it when all have closed it; None when the
    deadline passes. Processes that the program leaves behind may keep it open."""
    parts = []
    while True:
        left = deadline - time.monotonic()
        if left <= 0 or not select.select([pipe], [], [], left)[0]:
            return None
        part = os.read(pipe, 65536)
        parts.append(part)
        if not part or part.endswith(b"\n"):
            return b"".join(parts)


def run(program, way, timeout):
    """Runs one program and returns its Outcome."""
    reading, writing = os.pipe()
    with tempfile.TemporaryFile() as output:
        sys.stdout.flush()
        child = os.fork()
        if child == 0:
            os.close(reading)
            _child(program, way, writing, output.fileno())
        os.close(writing)
        text = _read_until(reading, time.monotonic() + timeout)
        os.close(reading)
        # Whatever the program started ends with it.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(child, signal.SIGKILL if text is None else signal.SIGTERM)
        status = os.waitpid(child, 0)[1]
        output.seek(0)
        printed = output.read().decode(errors="replace")[-4000:]
    if text is None:
        return programs.Outcome("timeout", text=f"after {timeout} s", output=printed)
    if not text:
        return programs.Outcome("killed", text=f"by signal {status & 127}", output=printed)
    return programs.Outcome(**json.loads(text))._replace(output=printed)


def _start(way):
    if way == "fakegpu":
        import fakegpu

        fakegpu.init(runtime="fakecuda", profile="a100", device_count=2)
    # What takes long to import is imported here, once for all programs.
    import torch  # noqa: F401
    import torch.utils.data  # noqa: F401

    with contextlib.suppress(ImportError):
        import torch._dynamo  # noqa: F401, optimizers and DistributedDataParallel import it
        import torch._subclasses.fake_tensor  # noqa: F401


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--way", default="plain", choices=["plain", "fake-tensor", "fakegpu"])
    parser.add_argument("--timeout", type=float, default=60)
    parser.add_argument("programs", nargs="+")
    options = parser.parse_args()
    paths = [os.path.abspath(path) for path in options.programs]
    _start(options.way)
    for path in paths:
        start = time.monotonic()
        outcome = run(programs.read(path), options.way, options.timeout)
        record = {"program": path, "seconds": round(time.monotonic() - start, 2)}
        print(json.dumps({**record, **outcome._asdict()}), flush=True)


if __name__ == "__main__":
    main()
