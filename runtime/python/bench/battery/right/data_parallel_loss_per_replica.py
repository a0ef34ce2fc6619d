# Replicas return their losses, which are averaged.
# runs
import torch


class WithLoss(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.net = torch.nn.Linear(4, 3)
        self.register_buffer("calls", torch.zeros(1))

    def forward(self, x, labels=None):
        self.calls += 1
        return {"loss": torch.nn.functional.cross_entropy(self.net(x), labels)}


net = WithLoss().cuda()
wrapped = torch.nn.DataParallel(net)
loss = wrapped(torch.randn(8, 4).cuda(), labels=torch.randint(3, (8,)).cuda())["loss"]
assert loss.shape == (2,)
loss.mean().backward()
assert net.calls.item() == 1
