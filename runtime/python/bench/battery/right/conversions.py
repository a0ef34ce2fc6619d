# Conversions between dtypes, the host and two GPUs: what is copied, what is returned as it is.
# runs
import numpy as np
import torch
from torch import nn


def to_device(batch, device):
    if isinstance(batch, torch.Tensor):
        return batch.to(device, non_blocking=True)
    if isinstance(batch, dict):
        return {k: to_device(v, device) for k, v in batch.items()}
    if isinstance(batch, (list, tuple)):
        return type(batch)(to_device(v, device) for v in batch)
    return batch


batch = {"x": torch.randn(3, 4), "ids": [torch.arange(3), torch.tensor(5)], "name": "b0"}
moved = to_device(batch, torch.device("cuda", 1))
assert moved["x"].device.index == 1 and moved["ids"][1].device.index == 1 and moved["name"] == "b0"
assert torch.equal(moved["x"].cpu(), batch["x"]) and moved["ids"][1].item() == 5

x = moved["x"]
assert x.to("cuda:1") is x and x.cuda(1) is x and x.to(torch.float32) is x
assert x.to("cuda:1", copy=True) is not x and x.cuda(0) is not x
there_and_back = x.to("cuda:0").cpu()
assert torch.equal(there_and_back, batch["x"])
half = x.to("cuda:0", torch.float16)
assert half.dtype == torch.float16 and half.get_device() == 0
assert (half.float().cpu() - batch["x"]).abs().max() < 1e-2
assert x.type() == "torch.cuda.FloatTensor" and half.long().type() == "torch.cuda.LongTensor"
assert x.double().bfloat16().dtype == torch.bfloat16 and (x > 0).dtype == torch.bool
assert x.cpu().numpy().dtype == np.float32 and x.tolist()[0][0] == batch["x"][0, 0].item()

target = torch.empty(3, 4, dtype=torch.float64)
target.copy_(x)
assert torch.equal(target, batch["x"].double())
other = torch.empty(3, 4, device="cuda:0").copy_(x)
assert torch.equal(other.cpu(), batch["x"])
assert torch.from_numpy(np.ones(2)).cuda().dtype == torch.float64
assert torch.as_tensor(x, device="cuda:1") is x or torch.as_tensor(x, device="cuda:1").data_ptr() == x.data_ptr()
assert torch.tensor([1, 2], device="cuda").device == torch.device("cuda:0")

model = nn.ModuleDict({"a": nn.Linear(2, 2), "b": nn.Linear(2, 2)})
weight = model["a"].weight
model["a"].cuda(0).half()
model["b"].to(torch.device("cuda:1"), torch.float64)
assert model["a"].weight is weight and weight.dtype == torch.float16 and weight.device.index == 0
assert model["b"].bias.dtype == torch.float64 and model["b"].bias.get_device() == 1
assert model.cpu().float()["b"].bias.device.type == "cpu"
