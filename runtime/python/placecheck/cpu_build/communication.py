"""torch._C's scatter, gather and broadcast, and its NCCL of one process: operators of the native half."""


def _call(name, *arguments):
    """As a function of C: subclasses of tensors, such as parameters that have no values yet, are not asked."""
    import torch
    guard = getattr(torch._C, "DisableTorchFunctionSubclass", None) or torch._C.DisableTorchFunction
    with guard():
        return getattr(torch.ops.placecheck, name)(*arguments)


def broadcast(tensor, devices):
    return tuple(_call("broadcast", tensor, list(devices)))


def broadcast_out(tensor, out_tensors):
    _call("broadcast_out", tensor, list(out_tensors))
    return tuple(out_tensors)


def broadcast_coalesced(tensors, devices, buffer_size=10485760):
    tensors, devices = list(tensors), list(devices)
    copies = _call("broadcast_coalesced", tensors, devices)
    return [copies[i * len(tensors):(i + 1) * len(tensors)] for i in range(len(devices))]


def scatter(tensor, devices, chunk_sizes=None, dim=0, streams=None):
    sizes = None if chunk_sizes is None else list(chunk_sizes)
    return tuple(_call("scatter", tensor, list(devices), sizes, dim))


def scatter_out(tensor, out_tensors, dim=0, streams=None):
    _call("scatter_out", tensor, list(out_tensors), dim)
    return tuple(out_tensors)


def gather(tensors, dim=0, destination_index=None):
    return _call("gather", list(tensors), dim, destination_index)


def gather_out(tensors, out_tensor, dim=0):
    _call("gather_out", list(tensors), out_tensor, dim)
    return out_tensor


def nccl_version() -> int:
    return 2 << 32 | 28 << 16 | 9


def nccl_all_reduce(inputs, outputs, op=0, streams=None, comms=None):
    _call("nccl_all_reduce", list(inputs), list(outputs), op)


def nccl_reduce(inputs, output, root=0, op=0, streams=None, comms=None):
    _call("nccl_reduce", list(inputs), output, op)


def nccl_broadcast(inputs, root=0, streams=None, comms=None):
    _call("nccl_broadcast", list(inputs), root)


def nccl_all_gather(inputs, outputs, streams=None, comms=None):
    _call("nccl_all_gather", list(inputs), list(outputs))


def nccl_reduce_scatter(inputs, outputs, op=0, streams=None, comms=None):
    _call("nccl_reduce_scatter", list(inputs), list(outputs), op)
