# set_default_device() makes tensors and modules on the GPU.
# runs
import torch
from torch.utils.data import DataLoader, TensorDataset

torch.set_default_device("cuda")
net = torch.nn.Linear(4, 2)
data = TensorDataset(torch.randn(8, 4))
generator = torch.Generator(device="cuda")
for (x,) in DataLoader(data, batch_size=4, shuffle=True, generator=generator):
    net(x).sum().backward()
with torch.device("cpu"):
    assert not torch.ones(1).is_cuda
