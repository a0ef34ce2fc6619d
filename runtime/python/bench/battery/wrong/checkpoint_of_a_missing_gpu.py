# map_location names a GPU that this machine has not.
# raises: RuntimeError: Attempting to deserialize object on CUDA device 2 but torch.cuda.device_count() is 2. Please use torch.load with map_location to map your storages to an existing device.
import torch

torch.save({"w": torch.ones(2)}, "w.pt")
torch.load("w.pt", map_location="cuda:2")  # raises
