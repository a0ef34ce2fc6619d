# Only the images of each batch are moved, the labels stay on the CPU.
# raises: RuntimeError: Expected all tensors to be on the same device, but got target is on cpu, different from other tensors on cuda:0 (when checking argument in method wrapper_CUDA_nll_loss_forward)
# raises: RuntimeError: two devices, cuda:0 and cpu! (when checking argument for argument target in method wrapper ... nll_loss_forward
import torch
from torch.utils.data import DataLoader, TensorDataset

data = TensorDataset(torch.randn(8, 4), torch.randint(3, (8,)))
net = torch.nn.Linear(4, 3).cuda()
criterion = torch.nn.CrossEntropyLoss()
for images, labels in DataLoader(data, batch_size=4):
    images = images.cuda()
    loss = criterion(net(images), labels)  # raises
    loss.backward()
