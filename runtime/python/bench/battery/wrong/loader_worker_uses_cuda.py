# A data set moves its items to the GPU in a forked worker.
# raises: RuntimeError: Cannot re-initialize CUDA in forked subprocess. To use CUDA with multiprocessing, you must use the 'spawn' start method
import torch
from torch.utils.data import DataLoader, Dataset


class Items(Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, i):
        return torch.ones(3).cuda()


torch.ones(1).cuda()
for _ in DataLoader(Items(), num_workers=1, multiprocessing_context="fork"):  # raises
    pass
