# More than the part of the GPU that the process may take.
# raises: OutOfMemoryError: CUDA out of memory.
import torch

torch.cuda.set_per_process_memory_fraction(0.01)
total = torch.cuda.get_device_properties(0).total_memory
torch.empty(total // 20, dtype=torch.uint8, device="cuda")  # raises
