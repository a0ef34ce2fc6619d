# the prefetcher forgets to move the labels and calls record_stream on a CPU tensor
# raises: NotImplementedError: Could not run 'aten::record_stream' with arguments from the 'CPU' backend.
import torch


class Prefetcher:
    def __init__(self, batches, device):
        self.it, self.device = iter(batches), device
        self.stream = torch.cuda.Stream(device)
        self.preload()

    def preload(self):
        batch = next(self.it, None)
        if batch is None:
            self.batch = None
            return
        x, y = batch
        with torch.cuda.stream(self.stream):
            self.batch = (x.pin_memory().to(self.device, non_blocking=True), y.pin_memory())

    def next(self):
        torch.cuda.current_stream(self.device).wait_stream(self.stream)
        batch = self.batch
        if batch is not None:
            for t in batch:
                t.record_stream(torch.cuda.current_stream(self.device))  # raises
            self.preload()
        return batch


device = torch.device("cuda:0")
data = [(torch.randn(8, 4), torch.randint(0, 2, (8,))) for _ in range(3)]
pre = Prefetcher(data, device)
batch = pre.next()  # raises
while batch is not None:
    x, y = batch
    torch.nn.functional.one_hot(y.to(device), 2).float().mm(torch.ones(2, 1, device=device)) + x[:, :1]
    batch = pre.next()
