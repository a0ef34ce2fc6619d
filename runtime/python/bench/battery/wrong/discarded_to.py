# Tensor.to() returns a new tensor; the result is dropped.
# raises: RuntimeError: Expected all tensors to be on the same device, but got mat1 is on cpu, different from other tensors on cuda:0
# raises: RuntimeError: two devices, cuda:0 and cpu! (when checking argument for argument mat1
import torch

device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")
net = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.Linear(8, 2)).to(device)
for x in torch.randn(2, 8, 4):
    x.to(device)
    net(x)  # raises
