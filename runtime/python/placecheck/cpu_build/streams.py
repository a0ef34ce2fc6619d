"""torch._C's streams and events of CUDA. Work is done when it is asked for, so streams are names, and an
event is the time at which it was recorded."""

import ctypes
import time

from . import calls
from .refusal import refuse

_CUDA = 1  # c10::DeviceType::CUDA


def _packs_streams(c) -> bool:
    """Until 2.0 a stream is one number, later three."""
    return hasattr(c.Stream, "_cdata") and not hasattr(c.Stream, "stream_id")


def _add_stream_type(c) -> None:
    init = calls.find_binding("_Z14THPStream_initP7_object")
    init.restype, init.argtypes = None, [ctypes.py_object]
    init(c)


def stream_data(c, stream: int, index: int):
    """A stream as torch._C._cuda_getCurrentStream gives it to torch.cuda."""
    if _packs_streams(c):
        return calls.pack_stream(stream, index)
    return stream, index, _CUDA


def make_set_stream(c):
    def set_stream(packed=None, *, stream_id=None, device_index=None, device_type=_CUDA):
        if packed is not None:
            stream_id, device_index = calls.unpack_stream(packed)
        calls.set_device(device_index)
        calls.set_stream(stream_id, device_index)

    return set_stream


class _StreamMethods:
    def query(self):
        return True

    def synchronize(self):
        calls.synchronize()

    def is_capturing(self):
        return False

    @property
    def cuda_stream(self):
        return self.stream_id

    @property
    def priority(self):
        return self._priority

    @staticmethod
    def priority_range():
        return (0, -5)

    def __eq__(self, other):
        return (isinstance(other, _StreamMethods) and self.stream_id == other.stream_id
                and self.device_index == other.device_index)

    def __hash__(self):
        return hash((self.device_index, self.stream_id))


def _clamp_priority(priority: int) -> int:
    least, greatest = _StreamMethods.priority_range()
    return max(greatest, min(least, priority))


def make_stream_base(c):
    """_CudaStreamBase under torch's own class of streams, which operators check their arguments for."""
    if not hasattr(c, "Stream"):
        _add_stream_type(c)
    if _packs_streams(c):
        return _make_packed_stream_base(c.Stream)

    class _CudaStreamBase(_StreamMethods, c.Stream):
        def __new__(cls, priority=0, stream_id=0, device_index=0, device_type=0, stream_ptr=0):
            if stream_ptr:
                stream_id, device_index = stream_ptr, calls.current_device()
            elif not (stream_id or device_index or device_type):
                device_index = calls.current_device()
                stream_id = calls.new_stream(device_index)
            self = c.Stream.__new__(cls, stream_id=stream_id, device_index=device_index,
                                    device_type=_CUDA)
            self._priority = _clamp_priority(priority)
            return self

    return _CudaStreamBase


def _make_packed_stream_base(parent):
    class _CudaStreamBase(_StreamMethods, parent):
        def __new__(cls, priority=0, _cdata=0, stream_ptr=0):
            if stream_ptr:
                _cdata = calls.pack_stream(stream_ptr, calls.current_device())
            elif not _cdata:
                index = calls.current_device()
                _cdata = calls.pack_stream(calls.new_stream(index), index)
            self = parent.__new__(cls, _cdata=_cdata)
            self.stream_id, self.device_index = calls.unpack_stream(_cdata)
            self._priority = _clamp_priority(priority)
            return self

        @property
        def device(self):
            import torch
            return torch.device("cuda", self.device_index)

    return _CudaStreamBase


def make_event_base(c):
    """_CudaEventBase, under torch's own class of events where there is one."""
    parents = (c.Event,) if hasattr(c, "Event") else ()

    class _CudaEventBase(*parents):
        def __new__(cls, enable_timing=False, blocking=False, interprocess=False, external=False):
            import torch
            self = (parents[0].__new__(cls, torch.device("cuda"), enable_timing=enable_timing)
                    if parents else object.__new__(cls))
            self._is_timed = enable_timing
            self._device_index = None
            self._recorded_at = None
            return self

        @property
        def device(self):
            import torch
            return None if self._device_index is None else torch.device("cuda", self._device_index)

        @property
        def cuda_event(self):
            return 0 if self._recorded_at is None else id(self)

        event_id = cuda_event

        def record(self, stream):
            if self._device_index is None:
                self._device_index = stream.device_index
            elif self._device_index != stream.device_index:
                raise RuntimeError(f"Event device {self._device_index} does not match recording "
                                   f"stream's device {stream.device_index}.")
            self._recorded_at = time.perf_counter()

        def wait(self, stream):
            pass

        def query(self):
            return True

        def synchronize(self):
            calls.synchronize()

        def elapsed_time(self, other):
            if self._recorded_at is None or other._recorded_at is None:
                raise RuntimeError(
                    "Both events must be recorded before calculating elapsed time.")
            if not (self._is_timed and other._is_timed):
                raise ValueError("Both events must be created with argument 'enable_timing=True'.")
            return (other._recorded_at - self._recorded_at) * 1e3

        def ipc_handle(self):
            refuse("events shared between processes")

        @classmethod
        def from_ipc_handle(cls, device, handle):
            refuse("events shared between processes")

    return _CudaEventBase
