# Each value of a batch is moved, and kept.
import torch


def to_device(batch, device):
    for key, value in batch.items():
        if torch.is_tensor(value):
            batch[key] = value.to(device)
    return batch


device = torch.device("cuda")
net = torch.nn.Linear(4, 1).to(device)
batch = to_device({"x": torch.randn(2, 4), "name": ["a", "b"]}, device)
net(batch["x"])
