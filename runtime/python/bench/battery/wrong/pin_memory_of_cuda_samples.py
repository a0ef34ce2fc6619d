# the samples are on the GPU already and the collate class pins them
# raises: RuntimeError: cannot pin 'torch.cuda.FloatTensor' only dense CPU tensors can be pinned
import torch


class Batch:
    def __init__(self, items):
        self.x = torch.stack([i[0] for i in items])
        self.y = torch.tensor([i[1] for i in items])

    def pin_memory(self):
        self.x = self.x.pin_memory()  # raises
        self.y = self.y.pin_memory()
        return self


def batches(data, size):
    for i in range(0, len(data), size):
        yield Batch(data[i : i + size]).pin_memory()  # raises


if __name__ == "__main__":
    features = torch.randn(32, 8, device="cuda:0")
    data = [(features[i], i % 3) for i in range(32)]
    model = torch.nn.Linear(8, 3).to("cuda:0")
    for b in batches(data, 8):  # raises
        y = b.y.to("cuda:0", non_blocking=True)
        torch.nn.functional.cross_entropy(model(b.x), y).backward()
