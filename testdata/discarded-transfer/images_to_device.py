# The results of the transfers are dropped.
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.Linear(6, 2)
model.to(device)
loader = DataLoader(TensorDataset(torch.randn(4, 6), torch.randint(2, (4,))), batch_size=2)
for images, labels in loader:
    images.to(device)  # expect: discarded-transfer
    labels.to(device)  # expect: discarded-transfer
    loss = nn.functional.cross_entropy(model(images), labels)  # expect: device-mismatch
    loss.backward()
