# A shuffling loader draws on the CPU, the default device is the GPU.
# raises: RuntimeError: Expected a 'cuda' device type for generator but found 'cpu'
import torch
from torch.utils.data import DataLoader, TensorDataset

torch.set_default_device("cuda")
data = TensorDataset(torch.randn(8, 4))
for _ in DataLoader(data, batch_size=4, shuffle=True):  # raises
    pass
