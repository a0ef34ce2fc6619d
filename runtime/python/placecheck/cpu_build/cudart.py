"""torch._C's small modules of bindings: the CUDA runtime, NVTX and cuDNN."""

import itertools
import threading

from . import calls, memory
from .refusal import refuse


class _Error(int):
    """cudaError_t."""
    success: "_Error"


_Error.success = _Error(0)


_ERROR_TEXTS = {
    0: "no error",
    1: "invalid argument",
    2: "out of memory",
    3: "initialization error",
    100: "no CUDA-capable device is detected",
    101: "invalid device ordinal",
    400: "invalid resource handle",
    700: "an illegal memory access was encountered",
    801: "operation not supported",
}


class CudaRuntime:
    """torch._C._cudart."""
    cudaError = _Error

    @staticmethod
    def cudaGetErrorString(error):
        return _ERROR_TEXTS.get(int(error), f"CUDA error {int(error)}")

    @staticmethod
    def cudaMemGetInfo(index):
        return memory.free_and_total(index)

    @staticmethod
    def cudaProfilerStart():
        return _Error.success

    @staticmethod
    def cudaProfilerStop():
        return _Error.success

    @staticmethod
    def cudaStreamCreate(address):
        refuse("streams made by the CUDA runtime")

    @staticmethod
    def cudaStreamDestroy(stream):
        refuse("streams made by the CUDA runtime")

    @staticmethod
    def cudaHostRegister(address, size, flags):
        refuse("pinning memory in place (cudaHostRegister)")

    @staticmethod
    def cudaHostUnregister(address):
        refuse("pinning memory in place (cudaHostUnregister)")


class Nvtx:
    """torch._C._nvtx: ranges nest, and nobody looks at them."""

    def __init__(self):
        self._thread = threading.local()
        self._ids = itertools.count(1)

    def _depth(self):
        return getattr(self._thread, "depth", 0)

    def rangePushA(self, message):
        self._thread.depth = self._depth() + 1
        return self._thread.depth - 1

    def rangePop(self):
        if self._depth() == 0:
            return -2  # NVTX_NO_PUSH_POP_TRACKING
        self._thread.depth -= 1
        return self._thread.depth

    def rangeStartA(self, message):
        return next(self._ids)

    def rangeEnd(self, range_id):
        return None

    def markA(self, message):
        return None


class CuDnn:
    """torch._C._cudnn: a version, so that torch.backends.cudnn finds the library that it asks for."""
    is_cuda = True

    @staticmethod
    def getVersionInt():
        return 91900

    @staticmethod
    def getRuntimeVersion():
        return (9, 19, 0)

    getCompileVersion = getRuntimeVersion


def check_devices_are_there() -> None:
    if calls.device_count() == 0:
        raise RuntimeError("No CUDA GPUs are available")
