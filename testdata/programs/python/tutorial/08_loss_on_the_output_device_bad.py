# Outputs are gathered on cuda:1, the labels are on cuda:0.
# raises: RuntimeError: Expected all tensors to be on the same device, but got target is on cuda:0, different from other tensors on cuda:1 (when checking argument in method wrapper_CUDA_nll_loss_forward)
# raises: RuntimeError: two devices, cuda:1 and cuda:0! (when checking argument for argument target in method wrapper
import torch

net = torch.nn.DataParallel(torch.nn.Linear(4, 3).cuda(), device_ids=[0, 1], output_device=1)
x, labels = torch.randn(16, 4).cuda(), torch.randint(3, (16,)).cuda()
outputs = net(x)
torch.nn.functional.cross_entropy(outputs, labels)  # expect: device-mismatch  # raises
