# The data set is on the GPU already, and the loader pins what it yields.
# raises: RuntimeError: cannot pin 'torch.cuda.FloatTensor' only dense CPU tensors can be pinned
import torch
from torch.utils.data import DataLoader, TensorDataset

data = TensorDataset(torch.randn(8, 4, device="cuda"))
for _ in DataLoader(data, batch_size=4, pin_memory=True):  # raises
    pass
