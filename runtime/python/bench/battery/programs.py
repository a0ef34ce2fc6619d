"""What a program is expected to do, read from its comments, and whether it did.

A comment at the start of a program says how it ends:

    # runs
    # raises: RuntimeError: Expected all tensors to be on the same device

Several `raises` are alternatives, as texts change between releases of PyTorch; ` ... ` stands for any
text. A comment `# raises` at the end of a line says where. `# environment: NAME=VALUE` is set before
the program starts; `# needs: torch>=2.6` names the oldest release that can run it.
"""

import os
import re
from typing import Dict, List, NamedTuple, Optional, Set, Tuple


class Program(NamedTuple):
    """`raises` are pairs of an exception's class and text, empty for a program that runs to its end;
    `lines` are those where it may be raised, empty where any will do."""

    path: str
    raises: List[Tuple[str, str]]
    lines: Set[int]
    environment: Dict[str, str]
    oldest_torch: Tuple[int, int]

    @property
    def name(self) -> str:
        return os.path.splitext(os.path.basename(self.path))[0]


class Outcome(NamedTuple):
    """How a run ended. `classes` are the exception's class and its bases; `lines` are the program's
    lines in the traceback; `ended` is "finished", "raised", "killed" or "timeout"."""

    ended: str
    classes: List[str] = []
    text: str = ""
    lines: List[int] = []
    output: str = ""

    def describe(self) -> str:
        if self.ended != "raised":
            return f"{self.ended} {self.text}".strip()
        return f"{self.classes[0]}: {self.text}"


def read(path: str) -> Program:
    """Raises ValueError where the comments do not say how the program ends."""
    raises, lines, environment, oldest_torch, runs = [], set(), {}, (0, 0), False
    with open(path, encoding="utf-8") as source:
        for number, line in enumerate(source, 1):
            expected = re.match(r"# raises: (\w+): (.+)", line)
            variable = re.match(r"# environment: (\w+)=(.*)", line)
            needed = re.match(r"# needs: torch>=(\d+)\.(\d+)", line)
            if expected:
                raises.append(expected.groups())
            elif variable:
                environment[variable.group(1)] = variable.group(2)
            elif needed:
                oldest_torch = (int(needed.group(1)), int(needed.group(2)))
            elif re.match(r"# runs\s*$", line):
                runs = True
            elif re.search(r"\S.*  # raises\s*$", line):
                lines.add(number)
    if runs == bool(raises):
        raise ValueError(f"{path}: its comments must say '# runs' or '# raises: CLASS: TEXT'")
    return Program(path, raises, lines, environment, oldest_torch)


def _contains(text: str, pattern: str) -> bool:
    parts = [re.escape(part) for part in pattern.split(" ... ")]
    return re.search(".*".join(parts), text, re.DOTALL) is not None


def is_raised_where_meant(program: Program, outcome: Outcome) -> bool:
    """Whether an exception of any kind came from a line that is marked."""
    if outcome.ended != "raised":
        return False
    return not program.lines or bool(program.lines & set(outcome.lines))


def has_own_text(program: Program, outcome: Outcome) -> bool:
    """Whether the exception is PyTorch's: its class and its text."""
    if outcome.ended != "raised":
        return False
    return any(name in outcome.classes and _contains(outcome.text, text)
               for name, text in program.raises)


def fault(program: Program, outcome: Outcome) -> Optional[str]:
    """What is not as expected, None where all is."""
    if not program.raises:
        return None if outcome.ended == "finished" else outcome.describe()
    if outcome.ended != "raised":
        return f"{outcome.describe()}, but should raise {': '.join(program.raises[0])}"
    if not has_own_text(program, outcome):
        return f"{outcome.describe()}, not {': '.join(program.raises[0])}"
    if not is_raised_where_meant(program, outcome):
        return f"raised at lines {outcome.lines}, not at {sorted(program.lines)}"
    return None
