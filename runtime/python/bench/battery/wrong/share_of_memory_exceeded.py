# The process limits itself to a tenth of the GPU and then reserves a cache of three GiB.
# raises: OutOfMemoryError: CUDA out of memory. Tried to allocate 3.00 GiB. GPU 0 has a total capacity of
# raises: OutOfMemoryError: CUDA out of memory. Allocation was preemptively rejected because it would exceed per_process_memory_fraction limit.
import torch


class KeyValueCache:
    def __init__(self, layers, length, heads, dim, device):
        shape = (2, layers, length, heads, dim)
        self.data = torch.empty(shape, dtype=torch.float16, device=device)  # raises
        self.length = 0

    def append(self, layer, key, value):
        self.data[0, layer, self.length] = key
        self.data[1, layer, self.length] = value


def configure(fraction):
    torch.cuda.set_per_process_memory_fraction(fraction, 0)
    assert abs(torch.cuda.get_per_process_memory_fraction(0) - fraction) < 1e-6


configure(0.1)
weights = torch.zeros(1024, 1024, device="cuda:0")
cache = KeyValueCache(layers=24, length=16384, heads=16, dim=128, device="cuda:0")
cache.append(0, torch.ones(16, 128), torch.ones(16, 128))
