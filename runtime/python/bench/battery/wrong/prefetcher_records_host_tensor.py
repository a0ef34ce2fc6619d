# A prefetcher forgets to copy the targets to the GPU before tying them to the current stream.
# raises: NotImplementedError: Could not run 'aten::record_stream' with arguments from the 'CPU' backend.
import torch
from torch.utils.data import DataLoader, TensorDataset


class Prefetcher:
    def __init__(self, loader, device):
        self.batches = iter(loader)
        self.stream = torch.cuda.Stream(device)
        self.device = device
        self.load()

    def load(self):
        self.batch = next(self.batches, None)
        if self.batch is None:
            return
        x, y = self.batch
        with torch.cuda.stream(self.stream):
            self.batch = (x.to(self.device, non_blocking=True), y)

    def next(self):
        current = torch.cuda.current_stream(self.device)
        current.wait_stream(self.stream)
        batch = self.batch
        if batch is not None:
            for tensor in batch:
                tensor.record_stream(current)  # raises
            self.load()
        return batch


data = TensorDataset(torch.randn(12, 3), torch.arange(12))
prefetcher = Prefetcher(DataLoader(data, batch_size=4, pin_memory=True), torch.device("cuda:0"))
while (batch := prefetcher.next()) is not None:
    print(batch[0].sum().item(), batch[1].tolist())
