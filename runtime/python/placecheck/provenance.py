"""Tells, under PyTorch's errors about devices, where each operand got its place: the line that made its memory.

    RuntimeError: Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!
    placecheck: 'mat1' [8, 4] is on cpu since train.py:41: batch = torch.randn(8, 4)

For any build of PyTorch, in Python alone; virtual GPUs do the same without the cost of a mode
(runtime/torch/python/provenance.h). A mode belongs to the thread that enters it: other threads' tensors have no
line.
"""

import collections
import functools
import importlib.abc
import importlib.util
import linecache
import os
import sys
from typing import Iterator, List, NamedTuple, Optional

# Of PyTorch's errors, those that are about places.
_WORDS = ("same device", "device-side assert", "invalid device ordinal", "Input type (", "on device",
          "map_location", "illegal memory access")
# Tensors whose line is kept.
_MOST_ORIGINS = 200_000
_HERE = os.path.dirname(os.path.abspath(__file__))


class Place(NamedTuple):
    """A line of the user's program."""

    file: str
    line: int

    def __str__(self) -> str:
        text = linecache.getline(self.file, self.line).strip()
        return f"{os.path.relpath(self.file)}:{self.line}" + (f": {text}" if text else "")


def _user_place(library: str) -> Optional[Place]:
    frame = sys._getframe(1)
    while frame is not None:
        file = frame.f_code.co_filename
        if not file.startswith((library, _HERE, "<")):
            return Place(file, frame.f_lineno)
        frame = frame.f_back
    return None


def _tensors_in(value, tensor_type, depth: int = 3) -> Iterator:
    if isinstance(value, tensor_type):
        yield value
    elif depth > 0 and isinstance(value, dict):
        for part in value.values():
            yield from _tensors_in(part, tensor_type, depth - 1)
    elif depth > 0 and isinstance(value, (list, tuple)):
        for part in value:
            yield from _tensors_in(part, tensor_type, depth - 1)


class Origins:
    """The lines that made the memory of tensors, by its address: an address that comes again is new memory."""

    def __init__(self, tensor_type, library: str):
        self._tensor_type = tensor_type
        self._library = library
        self._places: "collections.OrderedDict[int, Place]" = collections.OrderedDict()

    def record(self, result, operands) -> None:
        """`result` was made of `operands`: views and results in place keep the lines that they have."""
        known = {self._address(tensor) for tensor in operands}
        for tensor in _tensors_in(result, self._tensor_type):
            address = self._address(tensor)
            if not address or address in known:
                continue
            place = _user_place(self._library)
            if place is None:
                continue
            self._places[address] = place
            self._places.move_to_end(address)
            if len(self._places) > _MOST_ORIGINS:
                self._places.popitem(last=False)

    def explain(self, operands) -> List[str]:
        """A line for each operand, and where they meet."""
        lines = []
        for number, tensor in enumerate(operands):
            place = self._places.get(self._address(tensor))
            since = f" since {place}" if place is not None else ""
            lines.append(f"placecheck: operand {number} {list(tensor.shape)} is on {tensor.device}"
                         f"{since}")
        meeting = _user_place(self._library)
        if meeting is not None:
            lines.append(f"placecheck: they meet at {meeting}")
        return lines

    @staticmethod
    def _address(tensor) -> int:
        try:
            return tensor.untyped_storage().data_ptr() if hasattr(tensor, "untyped_storage") \
                else tensor.storage().data_ptr()
        except (RuntimeError, NotImplementedError, AttributeError):
            return 0  # no memory of its own: sparse, meta, wrappers


def _is_about_places(error: BaseException) -> bool:
    text = str(error)
    return any(words in text for words in _WORDS) and "placecheck: " not in text


def _mode(torch):
    """A mode that records each tensor and explains each error."""
    overrides = torch.overrides
    origins = Origins(torch.Tensor, os.path.dirname(os.path.abspath(torch.__file__)))

    class ProvenanceMode(overrides.TorchFunctionMode):

        def __torch_function__(self, function, types, arguments=(), options=None):
            options = options or {}
            try:
                result = function(*arguments, **options)
            except RuntimeError as error:
                if _is_about_places(error):
                    operands = list(_tensors_in((arguments, options), torch.Tensor))
                    error.args = ("\n".join([str(error), *origins.explain(operands)]),)
                raise
            origins.record(result, _tensors_in((arguments, options), torch.Tensor))
            return result

    return ProvenanceMode()


def start(torch) -> None:
    """From now on, on this thread. Releases before 1.13 have no modes: nothing happens."""
    if hasattr(torch.overrides, "TorchFunctionMode"):
        _mode(torch).__enter__()  # pylint: disable=unnecessary-dunder-call


class _Finder(importlib.abc.MetaPathFinder):
    """Starts when torch has been imported."""

    def find_spec(self, name, path=None, target=None):
        if name != "torch":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        if spec is None or spec.loader is None:
            return spec
        execute = spec.loader.exec_module

        @functools.wraps(execute)
        def exec_module(module):
            execute(module)
            start(module)

        spec.loader.exec_module = exec_module
        return spec


def start_with_torch() -> None:
    if "torch" in sys.modules:
        start(sys.modules["torch"])
    elif not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())
