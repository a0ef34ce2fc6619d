"""What torch.cuda asks of the driver's tools, and virtual GPUs answer in Python: NVML's number of devices, the
allocator's history."""

import os
import sys


def _record_memory_history_once():
    told = []

    def record_memory_history(enabled="all", *_arguments, **_options):
        if enabled and not told:
            told.append(True)
            print("placecheck: the history of memory is not recorded on virtual GPUs; snapshots list what is "
                  "allocated", file=sys.stderr)

    return record_memory_history


def install_before_cuda() -> None:
    """When torch._C is imported and torch.cuda is about to be."""
    import torch
    record = _record_memory_history_once()
    torch._C._cuda_record_memory_history = record
    torch._C._cuda_record_memory_history_legacy = record


def install_after_torch(torch) -> None:
    """The number of devices, instead of that of a driver that may be installed. As on GPUs, to ask for it
    initializes nothing: CUDA_VISIBLE_DEVICES may still be set, and a child that is forked later may use CUDA."""
    torch.cuda._raw_device_count_nvml = _number_of_devices


def _number_of_devices() -> int:
    return int(os.environ.get("PLACECHECK_VIRTUAL_DEVICES") or 2)
