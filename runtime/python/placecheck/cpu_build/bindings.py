"""What the compiled half of a CUDA build (torch._C) has and a CPU build's lacks, over the virtual devices.
With it PyTorch's own torch/cuda/*.py runs unchanged."""

import functools
import os
import sys

from . import calls, communication, cudart, fork, memory, properties, streams
from .refusal import refusing

# The CUDA release that PyTorch's own wheels are built with, the oldest first.
_CUDA_RELEASES = (((1, 13), "11.7"), ((2, 1), "12.1"), ((2, 4), "12.4"), ((2, 7), "12.6"),
                  ((2, 8), "12.8"), ((2, 11), "13.0"))
_UNIQUE_ID_BYTES = 128  # of NCCL


def cuda_release(torch_version: str) -> str:
    """torch.version.cuda of a CUDA build of this release."""
    release = tuple(int(part) for part in torch_version.split(".")[:2])
    fitting = [cuda for first, cuda in _CUDA_RELEASES if first <= release]
    return fitting[-1] if fitting else _CUDA_RELEASES[0][1]


def _device_count() -> int:
    fork.watch()
    return calls.device_count()


def _initialize() -> None:
    import torch
    fork.watch()
    cudart.check_devices_are_there()
    torch.cuda.default_generators = tuple(
        calls.default_generator(index) for index in range(calls.device_count()))
    torch.cuda._get_device_properties = properties.properties_of


def _exchange_device(index: int) -> int:
    if index < 0:
        return -1
    previous = calls.current_device()
    if index != previous:
        calls.set_device(index)
    return previous


class _SyncDebugMode:
    mode = 0

    @classmethod
    def set(cls, mode):
        if mode != 0:
            refusing("torch.cuda.set_sync_debug_mode")()
        cls.mode = mode


class _BenchmarkLimit:
    value = 10

    @classmethod
    def set(cls, value):
        cls.value = value


def _doing_nothing():
    """A function of its own each time: torch.compile tells the functions of torch._C apart by identity."""
    return lambda *_arguments, **_keywords: None


def _devices(c):
    def can_access_peer(device, peer):
        calls.check_device(device)
        calls.check_device(peer)
        return device != peer

    return {
        "_cuda_init": _initialize,
        "_cuda_isInBadFork": fork.is_in_bad_fork,
        "_cuda_getDeviceCount": _device_count,
        "_cuda_getDevice": calls.current_device,
        "_cuda_setDevice": calls.set_device,
        "_cuda_exchangeDevice": _exchange_device,
        "_cuda_maybeExchangeDevice": lambda index: _exchange_device(index),
        "_cuda_canDeviceAccessPeer": can_access_peer,
        "_cuda_hasPrimaryContext": lambda index: calls.memory_use(index).blocks.added > 0,
        "_cuda_synchronize": calls.synchronize,
        "_cuda_sleep": _doing_nothing(),
        "_cuda_getCompiledVersion": functools.partial(_compiled_version, sys.modules["torch"]),
        "_cuda_getArchFlags": lambda: "sm_{}{}".format(*properties.compute_capability()),
        "_CudaDeviceProperties": properties.DeviceProperties,
        "_cuda_get_sync_debug_mode": lambda: _SyncDebugMode.mode,
        "_cuda_set_sync_debug_mode": _SyncDebugMode.set,
    }


def _compiled_version(torch) -> int:
    major, minor = torch.version.cuda.split(".")
    return int(major) * 1000 + int(minor) * 10


def _streams(c):
    base = streams.make_stream_base(c)  # first: it adds torch._C.Stream where there is none
    return {
        "_CudaStreamBase": base,
        "_CudaEventBase": streams.make_event_base(c),
        "_cuda_getCurrentStream":
            lambda index: streams.stream_data(c, calls.current_stream(index), index),
        "_cuda_getDefaultStream": lambda index: streams.stream_data(c, 0, index),
        "_cuda_getStreamFromExternal":
            lambda pointer, index: streams.stream_data(c, pointer, index),
        "_cuda_getCurrentRawStream": calls.current_stream,
        "_cuda_setStream": streams.make_set_stream(c),
    }


def _memory():
    refused = {"_cuda_" + name: refusing("torch._C._cuda_" + name)
               for name in ("memorySnapshot", "cudaCachingAllocator_raw_alloc",
                            "cudaCachingAllocator_raw_delete", "attach_out_of_memory_observer",
                            "customAllocator", "changeCurrentAllocator")}
    return {
        "_cuda_memoryStats": memory.statistics,
        "_cuda_resetPeakMemoryStats": calls.reset_peak_memory,
        "_cuda_resetAccumulatedMemoryStats": calls.reset_accumulated_memory,
        "_cuda_emptyCache": calls.release_reserved_memory,
        "_cuda_ipc_collect": _doing_nothing(),
        "_cuda_setMemoryFraction":
            lambda fraction, index: calls.set_memory_fraction(index, fraction),
        "_cuda_getMemoryFraction": calls.memory_fraction,
        "_cuda_getAllocatorBackend": lambda: "native",
        "_cuda_cudaCachingAllocator_set_allocator_settings": _doing_nothing(),
        "_cuda_cudaHostAllocator": calls.pinned_allocator,
        "_cuda_recordMemoryHistory": _doing_nothing(),
        "_cuda_isHistoryEnabled": lambda: False,
        "_cuda_lock_mutex": _doing_nothing(),
        "_cuda_unlock_mutex": _doing_nothing(),
        **refused,
    }


def _communication():
    names = ("broadcast", "broadcast_out", "broadcast_coalesced", "scatter", "scatter_out",
             "gather", "gather_out", "nccl_version", "nccl_all_reduce", "nccl_reduce",
             "nccl_broadcast", "nccl_all_gather", "nccl_reduce_scatter")
    bindings = {"_" + name: getattr(communication, name) for name in names}
    bindings["_nccl_version_suffix"] = lambda: b""
    bindings["_nccl_unique_id"] = lambda: os.urandom(_UNIQUE_ID_BYTES)
    bindings["_nccl_init_rank"] = refusing("torch.cuda.nccl.init_rank")
    return bindings


def _libraries():
    return {
        "_cudart": cudart.CudaRuntime(),
        "_nvtx": cudart.Nvtx(),
        "_cudnn": cudart.CuDnn(),
        "_cuda_get_cudnn_benchmark_limit": lambda: _BenchmarkLimit.value,
        "_cuda_set_cudnn_benchmark_limit": _BenchmarkLimit.set,
        "_cuda_getCurrentBlasHandle": refusing("torch.cuda.current_blas_handle"),
        "_cuda_clearCublasWorkspaces": _doing_nothing(),
        "_cuda_jiterator_compile_and_launch_kernel": refusing("torch.cuda.jiterator"),
    }


def _name_what_is_missing(c) -> None:
    def missing(name):
        if name.startswith("_cuda_"):
            raise AttributeError(f"placecheck: not supported on virtual GPUs: torch._C.{name}")
        raise AttributeError(f"module 'torch._C' has no attribute '{name}'")

    c.__getattr__ = missing


def _mark_as_cuda_build(torch, c) -> None:
    for module in (c, torch):
        for flag in ("has_cuda", "_has_cuda", "has_cudnn", "_has_cudnn"):
            if hasattr(module, flag):
                setattr(module, flag, True)
    import torch.version
    if not torch.version.cuda:
        torch.version.cuda = cuda_release(torch.version.__version__)


def install() -> None:
    """Called when torch._C is there and torch.cuda is not yet."""
    torch = sys.modules["torch"]
    c = sys.modules["torch._C"]
    _mark_as_cuda_build(torch, c)
    for group in (_devices(c), _streams(c), _memory(), _communication(), _libraries()):
        for name, value in group.items():
            if not hasattr(c, name):
                setattr(c, name, value)
    _name_what_is_missing(c)
