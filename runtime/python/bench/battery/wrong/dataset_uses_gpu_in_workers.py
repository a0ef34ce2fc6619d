# A data set moves its samples to the GPU inside forked loader workers.
# raises: RuntimeError: Caught RuntimeError in DataLoader worker process 0.
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Patches(Dataset):
    def __init__(self, count, device):
        self.count, self.device = count, device
        self.images = torch.arange(count * 16, dtype=torch.float32).view(count, 1, 4, 4)

    def __len__(self):
        return self.count

    def __getitem__(self, i):
        patch = self.images[i].to(self.device)
        return patch / patch.max(), i % 2


def main():
    device = torch.device("cuda:0")
    model = nn.Sequential(nn.Flatten(), nn.Linear(16, 2)).to(device)
    loader = DataLoader(Patches(12, device), batch_size=4, num_workers=1)
    for patches, labels in loader:  # raises
        loss = nn.functional.cross_entropy(model(patches), labels.to(device))
        print(loss.item())


if __name__ == "__main__":
    main()
