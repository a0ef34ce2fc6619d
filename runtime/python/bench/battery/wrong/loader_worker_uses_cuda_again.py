# a forked DataLoader worker moves its samples to the GPU
# raises: RuntimeError: Caught RuntimeError in DataLoader worker process 0. ... RuntimeError: Cannot re-initialize CUDA in forked subprocess. To use CUDA with multiprocessing, you must use the 'spawn' start method
import torch
from torch.utils.data import DataLoader, Dataset


class OnGPU(Dataset):
    def __init__(self, n, device):
        self.data, self.device = torch.randn(n, 4), device

    def __len__(self):
        return len(self.data)

    def __getitem__(self, i):
        return self.data[i].to(self.device)  # raises


if __name__ == "__main__":
    device = torch.device("cuda:0")
    model = torch.nn.Linear(4, 1).to(device)
    loader = DataLoader(OnGPU(16, device), batch_size=4, num_workers=2, multiprocessing_context="fork")
    for x in loader:  # raises
        model(x).sum().backward()
