# Each value of a batch is moved, and dropped.
import torch


def to_device(batch, device):
    for key, value in batch.items():
        if torch.is_tensor(value):
            value.to(device)  # expect: discarded-transfer
    return batch


device = torch.device("cuda")
net = torch.nn.Linear(4, 1).to(device)
batch = to_device({"x": torch.randn(2, 4), "name": ["a", "b"]}, device)
net(batch["x"])  # expect: device-mismatch
