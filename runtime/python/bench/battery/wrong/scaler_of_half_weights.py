# The weights themselves are half: their gradients cannot be unscaled.
# raises: ValueError: Attempting to unscale FP16 gradients.
import torch

net = torch.nn.Linear(2, 2).cuda().half()
optimizer = torch.optim.SGD(net.parameters(), 0.1)
scaler = torch.cuda.amp.GradScaler()
scaler.scale(net(torch.ones(1, 2).cuda().half()).sum()).backward()
scaler.unscale_(optimizer)  # raises
