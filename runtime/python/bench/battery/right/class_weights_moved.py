# The weights of the classes move with the loss, which is a module.
# runs
import torch

criterion = torch.nn.CrossEntropyLoss(weight=torch.tensor([1.0, 2.0, 0.5])).cuda()
criterion(torch.randn(8, 3, device="cuda"), torch.randint(3, (8,), device="cuda")).item()
