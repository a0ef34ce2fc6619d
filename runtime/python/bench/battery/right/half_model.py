# A model in half precision infers.
# runs
import torch

net = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.LayerNorm(8), torch.nn.GELU(),
                          torch.nn.Linear(8, 2), torch.nn.Softmax(-1)).half().cuda()
output = net(torch.randn(3, 8, device="cuda", dtype=torch.half))
assert output.dtype == torch.half and output.isfinite().all()
