# Items are moved by the data set, in forked workers.
# raises: RuntimeError: Cannot re-initialize CUDA in forked subprocess. To use CUDA with multiprocessing, you must use the 'spawn' start method
import torch
from torch.utils.data import DataLoader, Dataset


class Images(Dataset):
    def __len__(self):
        return 2

    def __getitem__(self, i):
        return torch.ones(4).cuda()


net = torch.nn.Linear(4, 2).cuda()
for x in DataLoader(Images(), num_workers=1, multiprocessing_context="fork"):  # raises
    net(x)
