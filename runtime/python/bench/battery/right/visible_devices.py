# Only the second GPU is visible, and is cuda:0.
# environment: CUDA_VISIBLE_DEVICES=1
# runs
import torch

assert torch.cuda.device_count() == 1
assert torch.ones(1, device="cuda").device == torch.device("cuda:0")
torch.nn.DataParallel(torch.nn.Linear(4, 2).cuda())(torch.randn(3, 4).cuda())
