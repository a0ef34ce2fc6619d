# Two steps of one optimizer without update().
# raises: RuntimeError: step() has already been called since the last update().
import torch

net = torch.nn.Linear(2, 2).cuda()
optimizer = torch.optim.SGD(net.parameters(), 0.1)
scaler = torch.cuda.amp.GradScaler()
scaler.scale(net(torch.ones(1, 2).cuda()).sum()).backward()
scaler.step(optimizer)
scaler.step(optimizer)  # raises
