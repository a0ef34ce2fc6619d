"""Runs fixtures on virtual GPUs, each in a process that is forked after `import torch`, and prints how each
ended as a line of JSON. Started by placecheck-run."""

import json
import os
import sys

import marks
import programs
import runner


def main():
    runner._start("plain")  # pylint: disable=protected-access
    for path in sys.argv[1:]:
        fixture = marks.read(path)
        environment = {"CUDA_VISIBLE_DEVICES": ",".join(map(str, range(fixture.devices)))}
        program = programs.Program(os.path.abspath(path), [], set(), environment, (0, 0))
        outcome = runner.run(program, "plain", timeout=60)
        print(json.dumps({"program": path, **outcome._asdict()}), flush=True)


if __name__ == "__main__":
    main()
