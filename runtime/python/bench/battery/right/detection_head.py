# Anchors, box coding, IoU matching and non-maximum suppression of a detector run on the GPU as on the CPU.
# runs
import torch


def anchors(height, width, stride, sizes, device=None):
    ys, xs = torch.meshgrid(torch.arange(height, device=device), torch.arange(width, device=device), indexing="ij")
    centres = torch.stack([xs, ys], dim=-1).reshape(-1, 1, 2) * stride + stride / 2
    half = torch.tensor(sizes, device=device).view(1, -1, 1) / 2
    return torch.cat([centres - half, centres + half], dim=-1).reshape(-1, 4)


def area(b):
    return (b[:, 2] - b[:, 0]) * (b[:, 3] - b[:, 1])


def iou(a, b):
    low = torch.maximum(a[:, None, :2], b[None, :, :2])
    high = torch.minimum(a[:, None, 2:], b[None, :, 2:])
    overlap = (high - low).clamp(min=0).prod(dim=2)
    return overlap / (area(a)[:, None] + area(b)[None] - overlap)


def decode(boxes, deltas):
    size = boxes[:, 2:] - boxes[:, :2]
    centre = boxes[:, :2] + size / 2 + deltas[:, :2] * size
    size = size * deltas[:, 2:].clamp(max=2).exp()
    return torch.cat([centre - size / 2, centre + size / 2], dim=1)


def nms(boxes, scores, threshold):
    order = scores.argsort(descending=True)
    overlap = iou(boxes, boxes)
    keep = []
    while order.numel():
        best = order[0]
        keep.append(best)
        order = order[1:][overlap[best, order[1:]] <= threshold]
    return torch.stack(keep)


torch.manual_seed(37)
deltas, scores = torch.randn(32, 4) * 0.3, torch.rand(32)
truth = torch.tensor([[2.0, 2.0, 14.0, 14.0], [18.0, 10.0, 30.0, 30.0], [5.0, 20.0, 12.0, 31.0]])
results = {}
for device in ("cpu", "cuda:0", "cuda:1"):
    base = anchors(4, 4, 8, [8.0, 16.0], device)
    boxes = decode(base, deltas.to(device)).clamp_(0, 32)
    quality, match = iou(boxes, truth.to(device)).max(dim=1)
    labels = torch.full((len(boxes),), -1, device=device)
    labels[quality < 0.3] = 0
    labels[quality >= 0.5] = 1
    best_for_truth = iou(boxes, truth.to(device)).argmax(dim=0)
    labels[best_for_truth] = 1
    kept = nms(boxes, scores.to(device), 0.4)
    assert {t.device for t in (boxes, labels, kept)} == {torch.device(device)}
    results[device] = [t.cpu() for t in (boxes, quality, match, labels, kept)]
boxes, quality, match, labels, kept = results["cpu"]
assert labels.eq(1).sum() >= 3 and 3 < len(kept) < 32
for device in ("cuda:0", "cuda:1"):
    got = results[device]
    assert torch.allclose(got[0], boxes, atol=1e-4) and torch.allclose(got[1], quality, atol=1e-4)
    near = quality > 0.05
    assert torch.equal(got[2][near], match[near])
    assert torch.equal(got[3], labels) and torch.equal(got[4], kept)
