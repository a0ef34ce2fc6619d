# A batch size finder catches the out-of-memory error under a memory limit and halves its batch.
# runs
import gc

import torch
from torch import nn


class Encoder(nn.Module):
    """Reserves an activation buffer in proportion to its batch."""

    def __init__(self, bytes_per_row):
        super().__init__()
        self.bytes_per_row = bytes_per_row
        self.fc = nn.Linear(8, 8)

    def forward(self, x):
        buffer = torch.empty(x.size(0), self.bytes_per_row, dtype=torch.uint8, device=x.device)
        buffer[0, :8].fill_(1)
        return self.fc(x) + buffer[0, :8]


def largest_batch(model, start, device):
    tried, batch = [], start
    while batch > 0:
        tried.append(batch)
        try:
            with torch.no_grad():
                out = model(torch.zeros(batch, 8, device=device))
            return out, tried
        except torch.cuda.OutOfMemoryError as error:
            assert isinstance(error, RuntimeError)
            assert str(error).startswith("CUDA out of memory.")
        gc.collect()
        torch.cuda.empty_cache()
        batch //= 2
    raise RuntimeError("nothing fits")


device = torch.device("cuda:1")
model = Encoder(2 ** 26).to(device)
total = torch.cuda.get_device_properties(device).total_memory
torch.cuda.set_per_process_memory_fraction(2 ** 29 / total, device)
out, tried = largest_batch(model, 64, device)
assert tried == [64, 32, 16, 8, 4], tried
assert out.shape == (4, 8) and out.device == device
expected = model.fc.bias.detach() + 1
assert torch.allclose(out[2], expected, atol=1e-5)
other = torch.empty(2 ** 29 + 2 ** 20, dtype=torch.uint8, device="cuda:0")
assert other.numel() > 2 ** 29
torch.cuda.set_per_process_memory_fraction(1.0, device)
assert Encoder(2 ** 26).to(device)(torch.zeros(8, 8, device=device)).shape == (8, 8)
