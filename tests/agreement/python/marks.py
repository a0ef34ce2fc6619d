"""What Python fixtures say of themselves, read from their comments.

    # expect: RULE ...               the checker finds it on this line, and a run confirms it
    # expect-miss: RULE ...          a run fails here, the checker does not find it yet
    # expect-false-alarm: RULE ...   the checker finds it, and nothing is wrong
    # devices: N                     how many GPUs the program is run on (4)
    # torch: N.M                     the release of PyTorch that it needs: not run on older ones
"""

import re
from typing import List, NamedTuple, Tuple

_MARK = re.compile(r"# (expect|expect-miss|expect-false-alarm): ([a-z-]+(?:[ ,]+[a-z-]+)*)")


class Mark(NamedTuple):
    line: int
    rule: str
    kind: str


class Fixture(NamedTuple):
    path: str
    marks: List[Mark]
    devices: int
    torch: Tuple[int, int]

    @property
    def faults(self) -> List[Mark]:
        """The marks of what is really wrong."""
        return [mark for mark in self.marks if mark.kind != "expect-false-alarm"]


def read(path: str) -> Fixture:
    marks, devices, torch = [], 4, (0, 0)
    with open(path, encoding="utf-8") as source:
        for number, line in enumerate(source, 1):
            for kind, rules in _MARK.findall(line):
                marks += [Mark(number, rule, kind) for rule in re.split(r"[ ,]+", rules)]
            asked = re.match(r"# devices: (\d+)", line)
            if asked:
                devices = int(asked.group(1))
            needed = re.match(r"# torch: (\d+)\.(\d+)", line)
            if needed:
                torch = (int(needed.group(1)), int(needed.group(2)))
    return Fixture(path, marks, devices, torch)
