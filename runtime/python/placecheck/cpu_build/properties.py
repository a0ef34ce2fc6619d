"""What a virtual GPU says of itself: an A100's figures, but for the name and the memory, as the stand-ins
for CUDA builds have them (runtime/torch/standin/device_properties.cc)."""

import functools

from . import calls

COMPUTE_CAPABILITY = (8, 0)


class DeviceProperties:
    """torch._C._CudaDeviceProperties; attributes that a release does not have are not in its way."""
    name = "placecheck virtual GPU"
    major, minor = COMPUTE_CAPABILITY
    multi_processor_count = 108
    max_threads_per_multi_processor = 2048
    max_threads_per_block = 1024
    warp_size = 32
    is_integrated = 0
    is_multi_gpu_board = 0
    gcnArchName = name
    L2_cache_size = 40 << 20
    clock_rate = 1410000
    memory_clock_rate = 1215000
    memory_bus_width = 5120
    shared_memory_per_block = 48 << 10
    shared_memory_per_block_optin = 163 << 10
    shared_memory_per_multiprocessor = 164 << 10
    regs_per_multiprocessor = 65536
    pci_domain_id = 0
    pci_device_id = 0

    def __init__(self, index: int):
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
