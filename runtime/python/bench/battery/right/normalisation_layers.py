# Batch, instance, group and layer norms: outputs, running statistics and their moves between GPUs.
# runs
import copy

import torch
from torch import nn

torch.manual_seed(6)
batches = [torch.randn(6, 4, 5, 5, dtype=torch.float64) * 2 + 1 for _ in range(3)]
layers = {
    "batch": nn.BatchNorm2d(4),
    "instance": nn.InstanceNorm2d(4, affine=True, track_running_stats=True),
    "group": nn.GroupNorm(2, 4),
    "layer": nn.LayerNorm([4, 5, 5]),
}
for name, layer in layers.items():
    layer.double()
    twin = copy.deepcopy(layer).to("cuda:0")
    for x in batches:
        assert torch.allclose(twin(x.to("cuda:0")).cpu(), layer(x), atol=1e-8), name
    if hasattr(layer, "running_mean") and layer.running_mean is not None:
        assert twin.running_mean.device == torch.device("cuda:0")
        assert torch.allclose(twin.running_mean.cpu(), layer.running_mean)
        assert torch.allclose(twin.running_var.cpu(), layer.running_var)
        assert twin.num_batches_tracked.is_cuda
        assert twin.num_batches_tracked.item() == layer.num_batches_tracked.item()
    twin.to("cuda:1").eval()
    layer.eval()
    assert {t.device for t in twin.state_dict().values()} == {torch.device("cuda:1")}
    y = twin(batches[0].to("cuda:1"))
    assert y.device == torch.device("cuda:1")
    assert torch.allclose(y.cpu(), layer(batches[0]), atol=1e-8), name

half = nn.BatchNorm2d(4).half().to("cuda:0")
assert half.running_mean.dtype == torch.float16
assert half.num_batches_tracked.dtype == torch.int64
weight = nn.utils.parametrizations.weight_norm(nn.Linear(4, 3)).to("cuda:1")
assert {p.device.index for p in weight.parameters()} == {1}
assert weight(torch.ones(2, 4, device="cuda:1")).shape == (2, 3)
