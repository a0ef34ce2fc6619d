# Running metrics keep their counts on the GPU: confusion matrix, F1, area under the curve, calibration, quantiles.
# runs
import torch


class Metrics:
    def __init__(self, classes, device):
        self.confusion = torch.zeros(classes, classes, dtype=torch.long, device=device)
        self.scores, self.truth = [], []

    def update(self, probabilities, truth):
        k = self.confusion.size(0)
        pairs = truth * k + probabilities.argmax(dim=1)
        self.confusion += torch.bincount(pairs, minlength=k * k).view(k, k)
        self.scores.append(probabilities[:, 1])
        self.truth.append(truth == 1)

    def macro_f1(self):
        hit = self.confusion.diagonal().double()
        precision = hit / self.confusion.sum(dim=0).clamp(min=1)
        recall = hit / self.confusion.sum(dim=1).clamp(min=1)
        return (2 * precision * recall / (precision + recall).clamp(min=1e-12)).mean()

    def area_under_curve(self):
        scores, truth = torch.cat(self.scores), torch.cat(self.truth)
        truth = truth[scores.argsort(descending=True)].double()
        tpr = truth.cumsum(0) / truth.sum()
        fpr = (1 - truth).cumsum(0) / (1 - truth).sum()
        return torch.trapezoid(tpr, fpr)

    def calibration(self, bins):
        scores, truth = torch.cat(self.scores), torch.cat(self.truth).double()
        edges = torch.linspace(0, 1, bins + 1, dtype=scores.dtype, device=scores.device)
        where = torch.bucketize(scores, edges[1:-1])
        count = torch.zeros(bins, dtype=scores.dtype, device=scores.device)
        count = count.index_add(0, where, torch.ones_like(scores))
        gap = torch.zeros_like(count).index_add(0, where, scores - truth)
        return gap.abs().sum() / count.sum()

    def spread(self):
        scores = torch.cat(self.scores)
        quantiles = torch.quantile(scores, torch.tensor([0.1, 0.5, 0.9], dtype=scores.dtype, device=scores.device))
        return torch.cat([quantiles, scores.median()[None], scores.std()[None], torch.logsumexp(scores, 0)[None]])


torch.manual_seed(38)
batches = [(torch.randn(20, 3, dtype=torch.float64).softmax(dim=1), torch.randint(0, 3, (20,))) for _ in range(4)]
cpu, gpu = Metrics(3, "cpu"), Metrics(3, "cuda:1")
for probabilities, truth in batches:
    cpu.update(probabilities, truth)
    gpu.update(probabilities.to("cuda:1"), truth.to("cuda:1"))
assert gpu.confusion.sum().item() == 80 and torch.equal(gpu.confusion.cpu(), cpu.confusion)
for name, args in (("macro_f1", ()), ("area_under_curve", ()), ("calibration", (5,)), ("spread", ())):
    a, b = getattr(cpu, name)(*args), getattr(gpu, name)(*args)
    assert b.device == torch.device("cuda:1") and a.dtype == b.dtype, name
    assert torch.allclose(a, b.cpu(), atol=1e-9), name
