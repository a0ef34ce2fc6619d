# A half-precision input for a model in full precision, outside of autocast.
# raises: RuntimeError: mat1 and mat2 must have the same dtype, but got Half and Float
# raises: RuntimeError: expected scalar type Half but found Float
import torch

net = torch.nn.Linear(4, 3).cuda()
batch = torch.randn(8, 4).cuda().half()
net(batch)  # raises
