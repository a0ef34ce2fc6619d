# The wrapped model is a child called `module`.
# runs
import torch


class Net(torch.nn.Linear):
    def encode(self, x):
        return self(x)


net = torch.nn.DataParallel(Net(4, 2)).cuda()
assert [name for name, _ in net.named_children()] == ["module"]
assert net.module.encode(torch.randn(3, 4).cuda()).size() == (3, 2)
assert net.module.in_features == 4
