# The generator of a split is one of the CPU, whatever the training runs on.
import torch
from torch.utils.data import DataLoader, TensorDataset, random_split

device = torch.device("cuda")
examples = TensorDataset(torch.randn(8, 4))
train, test = random_split(examples, [6, 2], generator=torch.Generator().manual_seed(42))
for (batch,) in DataLoader(train, batch_size=2, shuffle=True, generator=torch.Generator()):
    batch = batch.to(device)
