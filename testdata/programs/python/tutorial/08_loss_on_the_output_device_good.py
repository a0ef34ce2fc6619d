# Labels are where the outputs are gathered; training on two GPUs lowers the loss.
# runs
import torch

torch.manual_seed(0)
net = torch.nn.DataParallel(torch.nn.Linear(4, 3).cuda(), device_ids=[0, 1])
optimizer = torch.optim.SGD(net.parameters(), lr=0.5)
x, labels = torch.randn(16, 4), torch.randint(3, (16,)).cuda()
losses = []
for _ in range(5):
    optimizer.zero_grad()
    loss = torch.nn.functional.cross_entropy(net(x), labels)
    loss.backward()
    optimizer.step()
    losses.append(loss.item())
assert losses[-1] < losses[0]
