"""torch._C._CudaDeviceProperties of a virtual GPU."""

import functools

from . import calls


def compute_capability():
    shared = calls.device_properties()
    return shared.major, shared.minor


class DeviceProperties:
    """Attributes that a release does not have are not in its way."""
    is_integrated = 0
    is_multi_gpu_board = 0
    pci_domain_id = 0
    pci_device_id = 0

    def __init__(self, index: int):
        shared = calls.device_properties()
        for name, _ in shared._fields_:
            setattr(self, name, getattr(shared, name))
        self.name = self.gcnArchName = calls.device_name()
        self.total_memory = calls.memory_use(index).total_bytes
        self.pci_bus_id = index + 1
        self.uuid = f"706c6163-6563-6865-636b-0000000000{index:02x}"

    def __repr__(self):
        return (f"_CudaDeviceProperties(name='{self.name}', major={self.major}, "
                f"minor={self.minor}, total_memory={self.total_memory >> 20}MB, "
                f"multi_processor_count={self.multi_processor_count}, uuid={self.uuid}, "
                f"L2_cache_size={self.L2_cache_size >> 20}MB)")


@functools.lru_cache(maxsize=None)
def properties_of(index: int) -> DeviceProperties:
    return DeviceProperties(index)
