"""The native libraries that this build has made, for programs that placecheck-run starts."""

import json
import os
import sys

_ROOT = os.path.dirname(os.path.abspath(__file__)).rpartition("/tests/runtime/python")[0]
_LIBRARY = os.path.join(_ROOT, "runtime/torch/libplacecheck_torch.so")

sys.path.insert(0, os.path.join(_ROOT, "runtime/python"))

from placecheck import torch_install  # pylint: disable=wrong-import-position


def environment(folder):
    """Names them, by a manifest in `folder`, for a CPU build; others are compiled or kept."""
    if torch_install.find().is_cuda_build or not os.path.exists(_LIBRARY):
        return {}
    libraries = [{"torch": name} for name in ("libc10.so", "libtorch_cpu.so", "libtorch.so")]
    with open(os.path.join(folder, "libraries.json"), "w", encoding="utf-8") as manifest:
        json.dump([*libraries, {"own": _LIBRARY}], manifest)
    return {"PLACECHECK_NATIVE": folder}
