"""CUDA graphs: what is captured is the list of operators that touch devices, and a replay calls them again on
the same memory. As on GPUs, work of the captured code that is no operator on a device (Python, the CPU) is
not part of the graph, and what would wait for the device is refused while a graph is captured. Operators have
to run while they are captured, for their results' shapes; what they wrote to memory that was there before, and
the random numbers that they drew, are taken back when the capture ends."""

import ctypes
import functools
import itertools
import threading
import warnings

_HOST = "cpu"
_NOT_PERMITTED = "CUDA error: operation not permitted when stream is capturing"
# Operators whose results, or their sizes, the host waits for.
_WAITING = ("_local_scalar_dense", "nonzero", "masked_select", "_unique2", "unique_dim",
            "unique_consecutive", "is_nonzero", "equal")

_pools = itertools.count(1)


# `graph`: what this thread captures. A backward pass's threads have the mode, which is the graph's own.
_capture = threading.local()


def _current_graph():
    return getattr(_capture, "graph", None)


def _set_current_graph(graph):
    _capture.graph = graph
    # The native half's libraries are global; torch.Stream asks them.
    ctypes.CDLL(None).placecheck_set_capturing(int(graph is not None))


def _error(text):
    import torch
    return getattr(torch, "AcceleratorError", RuntimeError)(text)


def _refusing_while_capturing(function):
    @functools.wraps(function)
    def checked(*arguments, **options):
        graph = _current_graph()
        if graph is not None:
            graph.is_spoiled = True
            raise _error(_NOT_PERMITTED)
        return function(*arguments, **options)

    return checked


def _tensors_in(torch, tree):
    from torch.utils._pytree import tree_flatten
    return [leaf for leaf in tree_flatten(tree)[0] if isinstance(leaf, torch.Tensor)]


def _memory_of(tensor):
    try:
        return (tensor.untyped_storage() if hasattr(tensor, "untyped_storage")
                else tensor.storage()).data_ptr()
    except (RuntimeError, NotImplementedError):  # a tensor without memory
        return None


def _waits(operator, tensors, results):
    name = operator._schema.name.split("::")[-1]
    if name in _WAITING and tensors:
        return True
    # Copies to the host, but for asynchronous ones to pinned memory.
    if name == "copy_":
        return tensors[0].device.type == _HOST and not tensors[0].is_pinned()
    if name == "_to_copy":
        return any(result.device.type == _HOST and not result.is_pinned() for result in results)
    return False


def _is_collective(operator):
    """Its schema does not say which of its operands it writes to."""
    return operator.namespace == "c10d"


def _wait_for_collective(torch, results):
    """The operators behind a collective on its stream find what it has written."""
    for result in results if isinstance(results, tuple) else (results,):
        if isinstance(result, torch.ScriptObject):
            torch.distributed.Work.unbox(result).wait()


def _written(torch, operator, args, kwargs):
    """The tensors on devices that a call writes to."""
    if _is_collective(operator):
        return [tensor for tensor in _tensors_in(torch, (args, kwargs)) if tensor.is_cuda]
    written = []
    for i, argument in enumerate(operator._schema.arguments):
        if argument.alias_info is not None and argument.alias_info.is_write:
            value = args[i] if i < len(args) else kwargs.get(argument.name)
            written += [tensor for tensor in _tensors_in(torch, value) if tensor.is_cuda]
    return written


class _Call:
    """One operator of a graph, with the tensors that it was given and those that it made."""

    def __init__(self, operator, args, kwargs, made):
        self._operator, self._args, self._kwargs, self._made = operator, args, kwargs, made

    def replay(self, torch):
        returned = self._operator(*self._args, **self._kwargs)
        if _is_collective(self._operator):
            _wait_for_collective(torch, returned)
        results = _tensors_in(torch, returned)
        for position, tensor in self._made:
            tensor.copy_(results[position])


def _make_mode(torch, graph):
    from torch.utils._python_dispatch import TorchDispatchMode

    class Capture(TorchDispatchMode):
        def __torch_dispatch__(self, operator, types, args=(), kwargs=None):
            kwargs = kwargs or {}
            given = _tensors_in(torch, (args, kwargs))
            graph.keep_contents(_written(torch, operator, args, kwargs))
            results = operator(*args, **kwargs)
            got = _tensors_in(torch, results)
            if not any(tensor.is_cuda for tensor in given + got):
                return results
            if _waits(operator, given, got):
                graph.is_spoiled = True
                raise _error(_NOT_PERMITTED)
            if "empty" in operator._schema.name:
                graph.own_memory.update(map(_memory_of, got))
                return results  # nothing is written there yet
            known = {_memory_of(tensor) for tensor in given}
            made = [(i, tensor.detach()) for i, tensor in enumerate(got)
                    if _memory_of(tensor) not in known]
            graph.own_memory.update(_memory_of(tensor) for _, tensor in made)
            if made or operator._schema.is_mutable or _is_collective(operator):
                graph.calls.append(_Call(operator, args, kwargs, made))
            return results

    return Capture()


class CudaGraph:
    """In the place of torch._C._CUDAGraph."""

    def __new__(cls, *_arguments, **_options):
        return object.__new__(cls)

    def __init__(self, *_arguments, **_options):
        self.calls = []
        self.own_memory = set()
        self.is_spoiled = False
        self._contents = {}
        self._generators = []
        self._states = []
        self._mode = None
        self._pool = None
        self._is_captured = False

    def capture_begin(self, pool=None, *_arguments, **_options):
        import torch
        if self._is_captured:
            raise RuntimeError("This CUDAGraph instance already owns a captured graph. To capture a new "
                               "graph, create a new instance.")
        if _current_graph() is not None:
            raise _error(_NOT_PERMITTED)
        if torch.cuda.current_stream() == torch.cuda.default_stream():
            raise RuntimeError("CUDA graphs must be captured on a non-default stream. (However, after "
                               "capture, it's ok to replay them on the default stream.)")
        self._pool = pool or graph_pool_handle()
        self._device = torch.cuda.current_device()
        self._states = [(generator, generator.get_state()) for generator in
                        (*torch.cuda.default_generators, *self._generators)]
        _set_current_graph(self)
        self._mode = _make_mode(torch, self)
        self._mode.__enter__()

    def capture_end(self):
        if self._mode is None:
            raise RuntimeError("CUDA error: operation not permitted")
        _set_current_graph(None)
        mode, self._mode = self._mode, None
        mode.__exit__(None, None, None)
        self._take_back()
        if self.is_spoiled:
            self.calls.clear()
            raise _error("CUDA error: operation failed due to a previous error during capture")
        if not self.calls:
            warnings.warn("The CUDA Graph is empty. This usually means that the graph was attempted to be "
                          "captured on wrong device or stream.", stacklevel=2)
        self._is_captured = True

    def register_generator_state(self, generator):
        """One whose random numbers a replay goes on with, beside the default ones."""
        self._generators.append(generator)

    def keep_contents(self, tensors):
        """Of memory that was there before the capture."""
        for tensor in tensors:
            memory = _memory_of(tensor)
            # Each view by itself: it may be a part of the memory.
            part = (memory, tensor.storage_offset(), tensor.shape, tensor.stride())
            if memory not in self.own_memory and part not in self._contents:
                self._contents[part] = (tensor.detach(), tensor.detach().clone())

    def _take_back(self):
        for tensor, before in reversed(list(self._contents.values())):
            tensor.copy_(before)
        self._contents.clear()
        for generator, before in self._states:
            generator.set_state(before)
        self._states.clear()

    # Newer releases end a capture in two steps.
    capture_end_pre = capture_end

    def capture_end_post(self):
        pass

    def instantiate(self):
        if not self._is_captured:
            raise RuntimeError("capture_end() must have been called before calling instantiate")

    def replay(self):
        import torch
        self._check("replay")
        with torch.no_grad(), torch.cuda.device(self._device):
            for call in self.calls:
                call.replay(torch)

    def reset(self):
        self.calls.clear()
        self.own_memory.clear()
        self.is_spoiled = self._is_captured = False

    def pool(self):
        self._check("pool")
        return self._pool

    def pools(self):
        return [self.pool()]

    def _retain_pool(self, _pool):
        pass

    def enable_debug_mode(self):
        pass

    def debug_dump(self, _path=None):
        pass

    @property
    def _has_graph_exec(self):
        return self._is_captured

    def raw_cuda_graph(self):
        raise NotImplementedError("not supported on virtual GPUs: CUDAGraph.raw_cuda_graph")

    raw_cuda_graph_exec = raw_cuda_graph

    def _check(self, function):
        if not self._is_captured:
            raise RuntimeError(f"Called CUDAGraph::{function} without a preceding successful capture.")


def graph_pool_handle():
    return (0, next(_pools))


def is_capturing():
    return _current_graph() is not None


def install_before_cuda():
    """When torch._C is imported and torch.cuda is about to be."""
    import torch
    torch._C._CUDAGraph = CudaGraph
    torch._C._graph_pool_handle = graph_pool_handle
    torch._C._cuda_isCurrentStreamCapturing = is_capturing
    torch._C._cuda_synchronize = _refusing_while_capturing(torch._C._cuda_synchronize)
