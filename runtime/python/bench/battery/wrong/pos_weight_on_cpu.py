# pos_weight of a binary loss stays on the CPU.
# raises: RuntimeError: Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!
import torch

criterion = torch.nn.BCEWithLogitsLoss(pos_weight=torch.tensor([3.0, 1.0]))
logits = torch.randn(8, 2).cuda()
criterion(logits, torch.ones(8, 2).cuda())  # raises
