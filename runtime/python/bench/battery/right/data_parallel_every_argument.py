# nn.DataParallel with device_ids, output_device, dim, keyword inputs and dictionary outputs
# runs
import torch
import torch.nn as nn

seen = []


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 4)
        self.register_buffer("scale", torch.tensor(2.0))

    def forward(self, x, *, mask=None, tag="none"):
        # x comes as (time, batch, feature): split over dim 1
        seen.append((x.device.index, x.shape[1], tag))
        assert self.fc.weight.device == x.device == self.scale.device
        y = self.fc(x) * self.scale
        if mask is not None:
            y = y * mask
        return {"y": y, "sum": y.sum(-1)}


torch.manual_seed(0)
net = Net()
x = torch.randn(3, 10, 6)
mask = (torch.rand(3, 10, 1) > 0.5).float()
want = net(x, mask=mask)
want["y"].pow(2).sum().backward()
ref_grad = net.fc.weight.grad.clone()
net.zero_grad(set_to_none=True)
seen.clear()

dp = nn.DataParallel(net.to("cuda:1"), device_ids=[1, 0], output_device=0, dim=1)
assert dp.device_ids == [1, 0] and dp.output_device == 0
out = dp(x.to("cuda:1"), mask=mask.to("cuda:1"), tag="train")
assert sorted(seen) == [(0, 5, "train"), (1, 5, "train")]
assert out["y"].device == torch.device("cuda:0") and out["y"].shape == (3, 10, 4)
assert torch.allclose(out["y"].detach().cpu(), want["y"], atol=1e-3)
assert torch.allclose(out["sum"].detach().cpu(), want["sum"], atol=1e-3)
out["y"].pow(2).sum().backward()
assert net.fc.weight.grad.device == torch.device("cuda:1")
assert torch.allclose(net.fc.weight.grad.cpu(), ref_grad, atol=1e-3, rtol=1e-3)
assert list(dp.state_dict())[:1] == ["module.fc.weight"] or "module.fc.weight" in dp.state_dict()

seen.clear()
small = dp(x[:, :1].to("cuda:1"))  # one sample: only the first device works
assert seen == [(1, 1, "none")] and small["y"].device.index == 0
only = nn.DataParallel(Net(), device_ids=[1])
assert next(only.parameters()).device == torch.device("cuda:1")
assert only(x)["y"].device == torch.device("cuda:1")
