# The retrieval evaluation forms the full similarity matrix of three million embeddings at once.
# raises: OutOfMemoryError: CUDA out of memory. Tried to allocate
import time

import torch
import torch.nn.functional as F


class EmbeddingBank:
    def __init__(self, n, dim, device, seed=0):
        g = torch.Generator(device=device).manual_seed(seed)
        self.vectors = F.normalize(torch.randn(n, dim, device=device, generator=g), dim=1)
        self.labels = torch.arange(n, device=device) % 10

    def __len__(self):
        return len(self.vectors)


class RetrievalMetric:
    """recall@k with the query itself left out."""

    def __init__(self, k):
        self.k = k

    def similarities(self, bank):
        return bank.vectors @ bank.vectors.t()  # raises

    def __call__(self, bank):
        sims = self.similarities(bank)
        sims.fill_diagonal_(float("-inf"))
        top = sims.topk(self.k, dim=1).indices
        hit = (bank.labels[top] == bank.labels[:, None]).any(1)
        return hit.float().mean().item()


class Timer:
    def __enter__(self):
        torch.cuda.synchronize()
        self.start = time.perf_counter()
        return self

    def __exit__(self, *exc):
        self.seconds = time.perf_counter() - self.start
        return False


def evaluate(sizes, dim, device):
    metric = RetrievalMetric(k=3)
    rows = []
    for n in sizes:
        bank = EmbeddingBank(n, dim, device)
        with Timer() as timer:
            recall = metric(bank)
        rows.append({"n": n, "recall": recall, "seconds": timer.seconds})
        torch.cuda.empty_cache()
    return rows


def main():
    device = torch.device("cuda", torch.cuda.current_device())
    for row in evaluate([64, 256], 2, device):
        print(row)
    # the real bank
    for row in evaluate([3_000_000], 2, device):
        print(row)


main()
