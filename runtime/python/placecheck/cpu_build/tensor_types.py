"""torch.cuda.FloatTensor and its kin: a CPU build has the types, which refuse to be used.

The bindings refuse a type that is marked as CUDA's. With the mark taken away they construct tensors, check
instances, and take the type as the default, as a CUDA build does: what they do is decided by the type's
backend. The one difference that is left is the attribute `is_cuda` of these types.
"""

import ctypes


class _TensorTypeFields(ctypes.Structure):
    """What PyTensorType (torch/csrc/tensor/python_tensor.cpp) has after PyTypeObject; later releases have a
    mark for XPU before the name."""
    _fields_ = [("dtype", ctypes.c_void_p), ("layout", ctypes.c_void_p), ("is_cuda", ctypes.c_ubyte),
                ("name", ctypes.c_char * 65)]


def _fields_of(kind) -> _TensorTypeFields:
    # The size that the metaclass states is that of PyTypeObject.
    return _TensorTypeFields.from_address(id(kind) + type(kind).__basicsize__)


def _is_as_expected(kind, is_cuda: bool) -> bool:
    fields = _fields_of(kind)
    name = bytes(fields)[_TensorTypeFields.name.offset:].lstrip(b"\0\1").partition(b"\0")[0]
    return (fields.is_cuda == is_cuda
            and name.decode(errors="replace") == f"{kind.__module__}.{kind.__name__}")


def install(torch) -> None:
    kinds = {kind: kind.__module__.startswith("torch.cuda") for kind in torch._tensor_classes}
    if not all(_is_as_expected(kind, is_cuda) for kind, is_cuda in kinds.items()):
        return  # another layout: the types go on refusing, in PyTorch's words
    for kind, is_cuda in kinds.items():
        if is_cuda:
            _fields_of(kind).is_cuda = 0
