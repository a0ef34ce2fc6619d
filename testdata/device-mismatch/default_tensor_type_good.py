# The default type is one of CUDA's, and then one of the CPU's again.
import numpy as np
import torch
from torch import nn

torch.set_default_tensor_type(torch.cuda.FloatTensor)
net = nn.Linear(4, 2)
batch = torch.from_numpy(np.ones((2, 4), dtype=np.float32))
print(net(torch.ones(2, 4)) + net(batch.cuda()))
torch.set_default_tensor_type(torch.FloatTensor)
print(nn.Linear(4, 2)(batch) + torch.ones(2, 2))
