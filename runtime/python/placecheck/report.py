"""The report of a run as JSON or SARIF. The native half writes text, an entry for each mistake:

    device-mismatch: Expected all tensors to be on the same device, but got mat1 is on cpu, ...
      note: 'mat1' [8, 4] is on cpu since train.py:41: batch = next(batches)
      note: they meet at train.py:43: output = model(batch)
      note: called from train.py:60: main()
      in train(Net&) at /home/me/train.cc:12 (./train+0x1c3a9)
      /usr/lib/libtorch_cpu.so+0x1c3a9
"""

import json
import os
import re
import urllib.parse
from typing import Any, Dict, List, NamedTuple, Optional

from . import __version__

_HEAD = re.compile(r"(?P<rule>[a-z][a-z0-9-]*): (?P<message>.*)")
_NATIVE = re.compile(r"in (?P<text>.*) at (?P<file>/.*):(?P<line>\d+) \([^()]*\)$")
_PLACE = re.compile(r"(?P<file>[^:\s][^:]*):(?P<line>\d+)(: (?P<text>.*))?$")


# The variables that name the file to which the libraries add what they see.
VARIABLES = ("PLACECHECK_TORCH_REPORT", "PLACECHECK_CUDA_REPORT", "PLACECHECK_REAL_REPORT")


class Place(NamedTuple):
    file: str
    line: int
    text: str


class Mistake:
    """One entry: what broke which rule, the lines of Python innermost first, and notes on operands."""

    def __init__(self, rule: str, message: str):
        self.rule = rule
        self.message = message
        self.notes: List[str] = []
        self.stack: List[Place] = []
        self.native_stack: List[str] = []
        self.native_places: List[Place] = []

    def add(self, line: str) -> None:
        kind, _, text = line.strip().partition(": ")
        if kind != "note":
            self.native_stack.append(line.strip())
            match = _NATIVE.match(line.strip())
            # What libraries were compiled from lies elsewhere.
            if match is not None and os.path.exists(match.group("file")):
                self.native_places.append(Place(match.group("file"), int(match.group("line")),
                                                match.group("text")))
            return
        for start in ("they meet at ", "called from "):
            if text.startswith(start):
                place = place_in(text[len(start):])
                if place:
                    self.stack.append(place)
                return
        self.notes.append(text)

    @property
    def places(self) -> List[Place]:
        """The program's lines, innermost first: Python's, or those of a program in C++."""
        return self.stack or self.native_places

    def as_json(self) -> Dict[str, Any]:
        return {"rule": self.rule, "message": self.message, "notes": self.notes,
                "stack": [place._asdict() for place in self.places],
                "native_stack": self.native_stack}


def place_in(text: str) -> Optional[Place]:
    match = _PLACE.match(text)
    if match is None:
        return None
    return Place(match.group("file"), int(match.group("line")), match.group("text") or "")


def parse(text: str) -> List[Mistake]:
    mistakes: List[Mistake] = []
    for line in text.splitlines():
        head = None if line.startswith(" ") else _HEAD.match(line)
        if head is not None:
            mistakes.append(Mistake(head.group("rule"), head.group("message")))
        elif mistakes:
            mistakes[-1].add(line)
    return mistakes


def _location(place: Place, message: str = "") -> Dict[str, Any]:
    location: Dict[str, Any] = {"physicalLocation": {
        "artifactLocation": {"uri": urllib.parse.quote(place.file.replace(os.sep, "/"))},
        "region": {"startLine": place.line}}}
    if message:
        location["message"] = {"text": message}
    return location


def _sarif_result(mistake: Mistake) -> Dict[str, Any]:
    result: Dict[str, Any] = {"ruleId": mistake.rule, "level": "error",
                              "message": {"text": mistake.message}}
    if mistake.places:
        result["locations"] = [_location(mistake.places[0])]
        frames = [{"location": _location(place, place.text)} for place in mistake.places]
        result["stacks"] = [{"message": {"text": "the operation was called here"},
                             "frames": frames}]
    related = []
    for note in mistake.notes:
        description, _, origin = note.partition(" since ")
        place = place_in(origin)
        if place:
            related.append(_location(place, description))
    if related:
        result["relatedLocations"] = related
    return result


def as_sarif(mistakes: List[Mistake]) -> Dict[str, Any]:
    rules = [{"id": rule} for rule in sorted({mistake.rule for mistake in mistakes})]
    return {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
            "runs": [{"tool": {"driver": {"name": "placecheck-run", "version": __version__,
                                          "rules": rules}},
                      "results": [_sarif_result(mistake) for mistake in mistakes]}]}


def convert(text_file: str, target: str) -> None:
    """Writes the text report as what `target`'s name asks for: .json or .sarif."""
    text = ""
    if os.path.exists(text_file):
        with open(text_file, encoding="utf-8", errors="replace") as file:
            text = file.read()
    mistakes = parse(text)
    content = (as_sarif(mistakes) if target.endswith(".sarif")
               else {"mistakes": [mistake.as_json() for mistake in mistakes]})
    with open(target, "w", encoding="utf-8") as file:
        json.dump(content, file, indent=1)
        file.write("\n")
