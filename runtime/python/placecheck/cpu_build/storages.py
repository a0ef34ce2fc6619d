"""torch.UntypedStorage on devices: made, resized, read from files and written to them. A CPU build's bindings
refuse that, or copy no bytes."""

from . import calls


def install(torch) -> None:
    kind = getattr(torch, "UntypedStorage", None) or torch.storage.UntypedStorage
    base = torch._C.StorageBase
    _patch_construction(torch, kind, base)
    _patch_methods(torch, kind, base)


def _patch_construction(torch, kind, base) -> None:
    def new(cls, *args, device=None, allocator=None, **keywords):
        if allocator is not None:
            keywords["allocator"] = allocator
        if device is None:
            return base.__new__(cls, *args, **keywords)
        place = torch.device(device)
        if place.type != "cuda":
            return base.__new__(cls, *args, device=device, **keywords)
        with torch.cuda.device(place):
            torch.cuda._lazy_init()
            if args and not isinstance(args[0], int):
                # From a sequence, which the bindings write to the host's memory.
                values = base.__new__(cls, *args)
                made = base.__new__(cls, len(values), allocator=calls.device_allocator())
                return made.copy_(values)
            return base.__new__(cls, *args, allocator=calls.device_allocator())

    kind.__new__ = new


def _patch_methods(torch, kind, base) -> None:
    def as_tensor(storage):
        return torch.empty(0, dtype=torch.uint8, device=storage.device).set_(storage)

    def _write_file(self, *args):
        return base._write_file(self.cpu() if self.device.type == "cuda" else self, *args)

    def _set_from_file(self, *args):
        if self.device.type != "cuda":
            return base._set_from_file(self, *args)
        read = base._set_from_file(base.__new__(type(self), self.nbytes()), *args)
        return self.copy_(read)

    def resize_(self, size):
        if self.device.type != "cuda":
            return base.resize_(self, size)
        torch.ops.placecheck.resize_storage(as_tensor(self), size)
        return self

    kind._write_file = _write_file
    kind._set_from_file = _set_from_file
    kind.resize_ = resize_
    if "is_pinned" in vars(base):  # until 2.0; later it is Python
        kind.is_pinned = lambda self: as_tensor(self).is_pinned()
