# The device is selected before the stream is made.
import torch
from torch import nn


class Prefetcher:
    def __init__(self, batches):
        self.batches = iter(batches)
        self.stream = torch.cuda.Stream()

    def next(self):
        try:
            batch = next(self.batches)
        except StopIteration:
            return None
        with torch.cuda.stream(self.stream):
            batch = batch.cuda(non_blocking=True)
        torch.cuda.current_stream().wait_stream(self.stream)
        return batch


torch.cuda.set_device(1)
prefetcher = Prefetcher([torch.rand(2, 4), torch.rand(2, 4)])
model = nn.Linear(4, 4).cuda()
x = prefetcher.next()
while x is not None:
    model(x)
    x = prefetcher.next()
