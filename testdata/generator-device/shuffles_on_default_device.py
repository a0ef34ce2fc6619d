# A loader shuffles with a generator on the CPU, and draws the order on the default device.
import torch
from torch.utils.data import DataLoader, TensorDataset

torch.set_default_tensor_type("torch.cuda.FloatTensor")
data = TensorDataset(torch.rand(8, 3))
for (x,) in DataLoader(data, batch_size=4):
    print(x.mean())
for (x,) in DataLoader(data, batch_size=4, shuffle=True):  # expect: generator-device
    print(x.mean())
