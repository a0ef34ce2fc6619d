"""The C functions of the native half (runtime/torch/python/cuda_calls.h), which the activation has loaded.

Plain C through ctypes depends on no version of Python, and PyTorch's dispatch modes do not see it.
"""

import ctypes
import functools
import re
from typing import NoReturn

_PRIVATE = {"THPGenerator_Wrap": ("_Z17THPGenerator_WrapN2at9GeneratorE",  # by value, until 2.0
                                  "_Z17THPGenerator_WrapRKN2at9GeneratorE")}


class MemoryStatistic(ctypes.Structure):
    """A quantity now, the most since the last reset, and what was added and taken in all."""
    _fields_ = [(name, ctypes.c_int64) for name in ("current", "peak", "added", "removed")]


class MemoryUse(ctypes.Structure):
    """Of one device, in bytes but for the blocks and errors."""
    _fields_ = [("allocated", MemoryStatistic), ("reserved", MemoryStatistic),
                ("blocks", MemoryStatistic), ("out_of_memory_errors", ctypes.c_int64),
                ("free_bytes", ctypes.c_int64), ("total_bytes", ctypes.c_int64)]


class Properties(ctypes.Structure):
    """What every device says of itself (runtime/devices/properties.h)."""
    _fields_ = [(name, ctypes.c_int) for name in (
        "major", "minor", "multi_processor_count", "warp_size", "max_threads_per_block",
        "max_threads_per_multi_processor", "regs_per_multiprocessor", "shared_memory_per_block",
        "shared_memory_per_block_optin", "shared_memory_per_multiprocessor", "L2_cache_size",
        "clock_rate", "memory_clock_rate", "memory_bus_width")]


# PyDLL: the calls are short, and those that make Python objects need the GIL.
_library = ctypes.PyDLL(None)


# Of calls that wait.
_library_without_lock = ctypes.CDLL(None)


def _declare_raw(name, result, *arguments, library=_library):
    function = library["placecheck_" + name]
    function.restype = result
    function.argtypes = arguments
    return function


@functools.lru_cache(maxsize=None)  # a function of ctypes is part of a cycle of references
def _declare(name, result, *arguments, check=None, library=_library):
    """As a function of Python: those of ctypes have no hash, which torch.compile wants of torch._C's."""
    function = _declare_raw(name, result, *arguments, library=library)
    if check is not None:
        function.errcheck = check

    def call(*values):
        return function(*values)

    call.__name__ = call.__qualname__ = name
    return call


_error_text = _declare("error_text", ctypes.c_char_p)


def raise_error() -> NoReturn:
    """Raises the error that the last call of this thread left, as PyTorch's own bindings do."""
    import torch
    text = _error_text().decode()
    kind = getattr(torch._C, "AcceleratorError", RuntimeError)  # from 2.8 on
    raise (kind if text.startswith("CUDA error") else RuntimeError)(text)


def _check(status, _function, _arguments):
    if status != 0:
        raise_error()


def _declare_checked(name, *arguments, library=_library):
    return _declare(name, ctypes.c_int, *arguments, check=_check, library=library)


_device_properties = _declare("device_properties", ctypes.POINTER(Properties))
_device_name = _declare("device_name", ctypes.c_char_p)
device_count = _declare("device_count", ctypes.c_int)
current_device = _declare("current_device", ctypes.c_int)
set_device = _declare_checked("set_device", ctypes.c_int)
check_device = _declare_checked("check_device", ctypes.c_int)
synchronize = _declare_checked("synchronize", library=_library_without_lock)

current_stream = _declare("current_stream", ctypes.c_int64, ctypes.c_int)
new_stream = _declare("new_stream", ctypes.c_int64, ctypes.c_int)
set_stream = _declare("set_stream", None, ctypes.c_int64, ctypes.c_int)

_memory_use = _declare_checked("memory_use", ctypes.c_int, ctypes.POINTER(MemoryUse))
reset_peak_memory = _declare_checked("reset_peak_memory", ctypes.c_int)
reset_accumulated_memory = _declare_checked("reset_accumulated_memory", ctypes.c_int)
release_reserved_memory = _declare("release_reserved_memory", None)
set_memory_fraction = _declare_checked("set_memory_fraction", ctypes.c_int, ctypes.c_double)
memory_fraction = _declare("memory_fraction", ctypes.c_double, ctypes.c_int)

device_allocator = _declare("device_allocator", ctypes.c_void_p)
pinned_allocator = _declare("pinned_allocator", ctypes.c_void_p)


def device_properties() -> Properties:
    return _device_properties().contents


def device_name() -> str:
    return _device_name().decode()


def memory_use(index: int) -> MemoryUse:
    use = MemoryUse()
    _memory_use(index, ctypes.byref(use))
    return use


def pack_stream(stream: int, index: int) -> int:
    """The form in which 1.13 keeps a stream."""
    return _declare("pack_stream", ctypes.c_uint64, ctypes.c_int64, ctypes.c_int)(stream, index)


def unpack_stream(packed: int):
    """The id of a stream, and its device."""
    index = ctypes.c_int()
    unpack = _declare("unpack_stream", ctypes.c_int64, ctypes.c_uint64,
                      ctypes.POINTER(ctypes.c_int))
    return unpack(packed, ctypes.byref(index)), index.value


def _load_bindings() -> ctypes.PyDLL:
    """libtorch_python of this process: Python loads it so that nobody else sees its symbols."""
    with open("/proc/self/maps", encoding="utf-8") as maps:
        path = re.search(r"/\S*/libtorch_python\.so\S*", maps.read())
    if path is None:
        raise ImportError("placecheck: torch's Python bindings are not loaded")
    return ctypes.PyDLL(path.group())


def find_binding(*names: str):
    """The first of these functions, by their C++ symbols, that this release's bindings export, or None."""
    bindings = _load_bindings()
    for name in names:
        try:
            return bindings[name]
        except AttributeError:
            continue
    return None


def _make_generator(name: str, index: int):
    wrap = find_binding(*_PRIVATE["THPGenerator_Wrap"])
    make = _declare(name, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)
    address = make(index, ctypes.cast(wrap, ctypes.c_void_p))
    if not address:
        raise_error()
    # The reference that the call returned becomes ours.
    generator = ctypes.cast(address, ctypes.py_object).value
    ctypes.pythonapi.Py_DecRef(ctypes.py_object(generator))
    return generator


def default_generator(index: int):
    """The torch.Generator of a device."""
    return _make_generator("default_generator", index)


def new_generator(index: int):
    return _make_generator("new_generator", index)
