# Old ways to name types and devices.
# runs
import torch

x = torch.cuda.FloatTensor(2, 3).fill_(1)
assert x.type() == "torch.cuda.FloatTensor" and isinstance(x, torch.cuda.FloatTensor)
assert torch.zeros(2).type("torch.cuda.LongTensor").dtype == torch.int64
assert x.new_zeros(2).is_cuda and torch.zeros_like(x, device="cpu").device.type == "cpu"
assert x.cpu().type_as(x).is_cuda and torch.tensor([1.0]).to(x).is_cuda
