# The last GPU gets one example, which batch normalisation cannot train on.
# raises: ValueError: Caught ValueError in replica 3 on device 3. ... Expected more than 1 value per channel when training, got input size torch.Size([1, 4])
import torch

net = torch.nn.DataParallel(torch.nn.BatchNorm1d(4).cuda())
net(torch.randn(10, 4).cuda())  # raises
