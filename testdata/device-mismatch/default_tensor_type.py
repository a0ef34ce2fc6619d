# The default type is one of CUDA's: layers are made there, arrays of numpy stay on the CPU.
import numpy as np
import torch
from torch import nn

torch.set_default_tensor_type("torch.cuda.FloatTensor")
net = nn.Linear(4, 2)
print(net(torch.ones(2, 4)))
batch = torch.from_numpy(np.ones((2, 4), dtype=np.float32))
print(net(batch))  # expect: device-mismatch
