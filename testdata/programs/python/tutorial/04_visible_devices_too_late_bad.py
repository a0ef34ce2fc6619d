# Set after CUDA has started, it has no effect: cuda:1 is still another GPU than that of the batch.
# raises: RuntimeError: Expected all tensors to be on the same device, but got mat1 is on cuda:0, different from other tensors on cuda:1
# raises: RuntimeError: two devices, cuda:1 and cuda:0! (when checking argument for argument mat1
import os

import torch

batch = torch.randn(2, 4).cuda()
os.environ["CUDA_VISIBLE_DEVICES"] = "1"  # expect: visible-devices
net = torch.nn.Linear(4, 2).to("cuda:1")
net(batch)  # expect: device-mismatch  # raises
