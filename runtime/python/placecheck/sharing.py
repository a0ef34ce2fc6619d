"""Tensors on cuda that go to another process, through a queue or as arguments of one: what CUDA's IPC handles
do on GPUs, PyTorch's shared memory of the host does here."""

# By address, the host storage whose memory a device's storage has: a weak reference, so that an entry which
# outlives its storage is seen to be stale.
_hosts = {}


class _Handle:
    """The name of shared memory, as the bytes that take the place of a cudaIpcMemHandle_t."""

    def __init__(self, manager: bytes, name: bytes, size: int):
        self.parts = (manager, name, size)

    def pack(self) -> bytes:
        manager, name, size = self.parts
        return b"\n".join((manager, name, str(size).encode()))

    @classmethod
    def unpack(cls, packed: bytes) -> "_Handle":
        manager, name, size = packed.split(b"\n")
        return cls(manager, name, int(size))


def _as_tensor(storage):
    import torch
    return torch.empty(0, dtype=torch.uint8, device=storage.device).set_(storage)


def _find_host(kind, storage):
    reference = _hosts.get(storage.data_ptr())
    return None if reference is None else kind._new_with_weak_ptr(reference.cdata)


def _move_to_shared_memory(torch, kind, storage):
    from torch.multiprocessing.reductions import StorageWeakRef
    host = kind._new_using_filename_cpu(storage.nbytes())
    host.copy_(storage)
    torch.ops.placecheck.use_memory_of(_as_tensor(storage), _as_tensor(host))
    _hosts[storage.data_ptr()] = StorageWeakRef(host)
    return host


def _open(kind, handle: bytes):
    host = kind._new_shared_filename_cpu(*_Handle.unpack(handle).parts)
    host._shared_decref()  # what the sender counted for us
    return host


def install(torch) -> None:
    kind = getattr(torch, "UntypedStorage", None) or torch.storage.UntypedStorage

    def _share_cuda_(self):
        index, size = self.device.index, self.nbytes()
        if size == 0:
            return index, None, 0, 0, b"", 0, b"", False
        host = _find_host(kind, self)
        if host is None:
            host = _move_to_shared_memory(torch, kind, self)
        manager, name, _ = host._share_filename_cpu_()
        host._shared_incref()
        handle = _Handle(manager, name, size).pack()
        return index, handle, size, 0, handle, 0, b"", False

    def _new_shared_cuda(cls, device, handle, *_offsets_and_event):
        storage = cls(0, device=torch.device("cuda", device))  # raises where there is no such device
        host = _open(kind, handle)
        torch.ops.placecheck.use_memory_of(_as_tensor(storage), _as_tensor(host))
        return storage

    def _release_ipc_counter_cuda(cls, handle, _offset):
        _open(kind, handle)

    kind._share_cuda_ = _share_cuda_
    kind._new_shared_cuda = classmethod(_new_shared_cuda)
    kind._release_ipc_counter_cuda = classmethod(_release_ipc_counter_cuda)
