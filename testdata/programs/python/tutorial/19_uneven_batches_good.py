# A batch is split by ceiling; a small one uses fewer GPUs.
# runs
import torch

seen = []


class Net(torch.nn.Linear):
    def forward(self, x):
        seen.append((x.get_device(), len(x)))
        return super().forward(x)


net = torch.nn.DataParallel(Net(4, 2).cuda())
for n, expected in [(10, [3, 3, 3, 1]), (5, [2, 2, 1]), (3, [1, 1, 1]), (1, [1])]:
    seen.clear()
    assert net(torch.randn(n, 4).cuda()).size() == (n, 2)
    assert [size for _, size in sorted(seen)] == expected
