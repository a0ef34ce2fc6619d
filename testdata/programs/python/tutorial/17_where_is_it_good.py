# Where model and data are, before and after they move.
# runs
import torch

net = torch.nn.Linear(4, 2)
assert next(net.parameters()).device == torch.device("cpu")
net.cuda()
assert str(next(net.parameters()).device) == "cuda:0"
data = torch.ones(2, 4)
assert str(data.device) == "cpu" and str(data.cuda(1).device) == "cuda:1"
assert str(data.cuda().cpu().device) == "cpu"
net.cpu()
assert not next(net.parameters()).is_cuda
