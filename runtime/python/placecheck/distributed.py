"""torch.distributed on virtual GPUs: an "nccl" backend across processes, and gloo for device tensors.

The native half (runtime/torch/python) has the backends; it is reached through operators that take and
give process groups, so that nothing here depends on the version of Python. What PyTorch's own Python
asks of ProcessGroupNCCL, as a class, is here.
"""

import ctypes
import datetime
import os
import sys
import types

# Seconds that a rank waits for another one before it raises.
TIMEOUT = "PLACECHECK_COLLECTIVE_TIMEOUT"
_DEFAULT_TIMEOUT = 120.0
# gloo gives up later than the ranks do, whose errors say more.
_HOST_MARGIN = 60.0


def _timeout() -> float:
    text = os.environ.get(TIMEOUT)
    if not text:
        return _DEFAULT_TIMEOUT
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < float("inf"):
        raise ValueError(f"placecheck: {TIMEOUT} must be a number of seconds, but is {text!r}")
    return seconds


def _deadline(options) -> float:
    """Of a group made with these options, in seconds."""
    timeout = _timeout()
    asked = getattr(options, "_timeout", None)
    if asked is not None and TIMEOUT not in os.environ:
        timeout = min(timeout, asked.total_seconds())
    return timeout


def _host_backend(c10d, store, rank, size, timeout: float):
    return c10d.ProcessGroupGloo(store, rank, size,
                                 timeout=datetime.timedelta(seconds=timeout + _HOST_MARGIN))


class _Backends:
    """Makes backends for device tensors."""

    def __init__(self, c10d, bindings):
        self._c10d = c10d
        self._bindings = bindings
        self.base = bindings.Backend  # the class of all backends
        self.options_base = getattr(self.base, "Options", object)
        self._register = c10d.ProcessGroup._register_backend
        # Of groups' backends: what they were made with. Held until they are shut down: Python's objects for them
        # come and go.
        self.options = {}

    def _group_over(self, gloo, store):
        import torch
        group = self._c10d.ProcessGroup(store, gloo.rank(), gloo.size())
        self._register(group, torch.device("cpu"), self._c10d.ProcessGroup.BackendType.GLOO, gloo)
        return group

    def nccl(self, store, rank, size, options=None):
        import torch
        timeout = _deadline(options)
        gloo = _host_backend(self._c10d, store, rank, size, timeout)
        group = self._group_over(gloo, store)
        ranks = [int(r) for r in getattr(options, "global_ranks_in_group", None) or ()]
        torch.ops.placecheck.add_nccl(group.boxed(), ranks, timeout)
        backend = group._get_backend(torch.device("cuda"))
        self.options[backend] = options
        return backend

    def gloo_for_devices(self, gloo, store):
        import torch
        group = self._group_over(gloo, store)
        torch.ops.placecheck.add_gloo(group.boxed())
        return group._get_backend(torch.device("cuda"))

    def register(self, group, device, backend_type, backend=None):
        """ProcessGroup._register_backend: gloo serves devices by a backend of its own."""
        c10d = self._c10d
        if device.type == "cuda" and isinstance(backend, c10d.ProcessGroupGloo):
            backend = self.gloo_for_devices(backend, self._bindings.HashStore())
            backend_type = c10d.ProcessGroup.BackendType.CUSTOM
        return self._register(group, device, backend_type, backend)

    def install(self):
        _complete_backend_class(self.base, self)
        self._c10d.ProcessGroup._register_backend = (
            lambda group, device, backend_type, backend=None:
            self.register(group, device, backend_type, backend))


def _address(bound) -> int:
    """Of the C++ object that a Python object of PyTorch 1.13 stands for: pybind11 keeps it first."""
    return ctypes.c_void_p.from_address(id(bound) + object.__basicsize__).value


class _Groups:
    """The same for 1.13, where a group is its only backend, and its gloo takes device tensors."""

    def __init__(self, c10d, bindings):
        self._c10d = c10d
        self._wrapper = bindings._ProcessGroupWrapper
        self._ranks = []  # of the group that is being made: its options do not have them
        self.base = bindings.ProcessGroup
        self.options_base = object  # ProcessGroup.Options are not for Python to make
        self.options = {}

    def nccl(self, store, rank, size, options=None):
        import torch
        timeout = _deadline(options)
        gloo = _host_backend(self._c10d, store, rank, size, timeout)
        wrapper = self._wrapper(gloo, gloo)
        torch.ops.placecheck.wrap_nccl(_address(wrapper), _address(gloo), _address(store),
                                       self._ranks, timeout)
        group = wrapper.wrapped_pg
        self.options[group] = options
        return group

    def install(self):
        make = self._c10d._new_process_group_helper

        def make_with_ranks(group_size, group_rank, global_ranks_in_group, *args, **kwargs):
            self._ranks = list(global_ranks_in_group or ())
            return make(group_size, group_rank, global_ranks_in_group, *args, **kwargs)

        self._c10d._new_process_group_helper = make_with_ranks


def _options_class(c10d, base):
    class Options(base):
        """ProcessGroupNCCL.Options; what only tunes NCCL is kept and changes nothing."""

        def __init__(self, is_high_priority_stream: bool = False):
            if base is not object:
                super().__init__("nccl", c10d.default_pg_nccl_timeout)
            else:
                self._timeout = c10d.default_pg_nccl_timeout
            self.is_high_priority_stream = is_high_priority_stream
            self.config = types.SimpleNamespace()
            self.split_from = None
            self.split_color = 0
            for name, value in (("global_ranks_in_group", []), ("group_name", "")):
                if not hasattr(self, name):
                    setattr(self, name, value)

    Options.__qualname__ = "ProcessGroupNCCL.Options"
    return Options


class _BackendNamed(type):
    """isinstance() by a backend's name: the native backends have one Python class."""

    def __instancecheck__(cls, value):
        if not isinstance(value, cls._backends.base):
            return False
        if not hasattr(value, "name"):
            return value in cls._backends.options
        try:
            return value.name() == "nccl"
        except RuntimeError:  # A backend of the program's own that says none.
            return False


def _nccl_class(c10d, backends):
    class ProcessGroupNCCL(metaclass=_BackendNamed):
        """Stands for PyTorch's class of that name: makes the virtual GPUs' backend."""

        Options = _options_class(c10d, backends.options_base)
        _backends = backends

        def __new__(cls, store, rank, size, options=None, device=None, timeout=None):
            if isinstance(options, datetime.timedelta):
                options, timeout = None, options
            if timeout is not None:
                options = options or cls.Options()
                options._timeout = timeout
            return backends.nccl(store, rank, size, options)

    ProcessGroupNCCL.__module__ = "torch.distributed.distributed_c10d"
    ProcessGroupNCCL.__qualname__ = "ProcessGroupNCCL"
    return ProcessGroupNCCL


def _complete_backend_class(backend, backends) -> None:
    """What Python asks of ProcessGroupNCCL objects and the class of all backends lacks."""

    def set_default_timeout(self, timeout):
        options = backends.options.get(self)
        if options is not None:
            options._timeout = timeout

    def shut_down(self):
        backends.options.pop(self, None)

    missing = {
        "comm_split_count": lambda self: 0,
        "perform_nocolor_split": lambda self, device: None,
        "_group_start": lambda self: self._start_coalescing(),
        "_group_end": lambda self: self._end_coalescing().wait(),
        "_is_initialized": lambda self: True,
        "_shutdown": shut_down,
        "_abort": shut_down,
        "_verify_work_timeout": lambda self, work, timeout: True,
        "_set_default_timeout": set_default_timeout,
        "_add_ephemeral_timeout": lambda self, timeout: None,
        "uid": property(lambda self: -1),
        "options": property(lambda self: backends.options.get(self)),
    }
    for name, value in missing.items():
        if not hasattr(backend, name):
            setattr(backend, name, value)


def _backends_of(c10d):
    import torch
    bindings = sys.modules["torch._C._distributed_c10d"]
    for kind, operator in ((_Backends, "add_nccl"), (_Groups, "wrap_nccl")):
        if torch._C._jit_get_schemas_for_operator(f"placecheck::{operator}"):
            return kind(c10d, bindings)
    return None


def install(c10d) -> None:
    """Called once torch.distributed.distributed_c10d has been executed."""
    backends = _backends_of(c10d)
    if backends is None:
        return  # of 2.0 to 2.5: PyTorch says that nccl is not built in
    bindings = sys.modules["torch._C._distributed_c10d"]
    c10d.default_pg_nccl_timeout = datetime.timedelta(seconds=_timeout())
    nccl = _nccl_class(c10d, backends)
    for name in ("ProcessGroupNCCL", "ProcessGroupNCCL2", "ProcessGroupNCCLLazy"):
        if name == "ProcessGroupNCCL" or hasattr(c10d, name):
            setattr(c10d, name, nccl)
            setattr(bindings, name, nccl)
            distributed = sys.modules["torch.distributed"]
            setattr(distributed, name, nccl)
    if "ProcessGroupNCCL" not in c10d.__all__:
        c10d.__all__.append("ProcessGroupNCCL")
    c10d._NCCL_AVAILABLE = True
    # One implementation stands for all: splitting goes through the constructor.
    for name in ("_create_nccl2_process_group", "_create_nccl_lazy_process_group"):
        if hasattr(c10d, name):
            setattr(c10d, name, c10d._create_nccl_process_group)
    backends.install()
