# anchors, box coding and greedy NMS written by hand, the same boxes as on the CPU
# runs
import torch


def anchors(h, w, stride, sizes, device):
    ys, xs = torch.meshgrid(torch.arange(h, device=device), torch.arange(w, device=device), indexing="ij")
    centre = torch.stack([xs, ys, xs, ys], -1).reshape(-1, 1, 4).float() * stride + stride / 2
    half = torch.tensor(sizes, device=device, dtype=torch.float32)[:, None] / 2
    return (centre + torch.cat([-half, -half, half, half], 1)).reshape(-1, 4)


def iou(a, b):
    lt, rb = torch.maximum(a[:, None, :2], b[:, :2]), torch.minimum(a[:, None, 2:], b[:, 2:])
    inter = (rb - lt).clamp(min=0).prod(2)
    area = lambda t: (t[:, 2:] - t[:, :2]).prod(1)
    return inter / (area(a)[:, None] + area(b) - inter)


def decode(anc, delta):
    wh, c = anc[:, 2:] - anc[:, :2], (anc[:, 2:] + anc[:, :2]) / 2
    c, wh = c + delta[:, :2] * wh, wh * delta[:, 2:].exp()
    return torch.cat([c - wh / 2, c + wh / 2], 1)


def nms(boxes, scores, thr):
    order = scores.argsort(descending=True)
    keep = []
    while order.numel():
        i = order[0]
        keep.append(i)
        rest = order[1:]
        order = rest[iou(boxes[i][None], boxes[rest])[0] <= thr]
    return torch.stack(keep)


def detect(dev):
    g = torch.Generator().manual_seed(0)
    anc = anchors(6, 6, 8, [12, 24], dev)
    delta = (torch.randn(len(anc), 4, generator=g) * 0.1).to(dev)
    scores = (torch.randperm(len(anc), generator=g).float() / len(anc)).to(dev)
    boxes = decode(anc, delta).clamp(0, 48)
    keep = nms(boxes, scores, 0.4)
    gt = torch.tensor([[4.0, 4, 20, 20], [20, 20, 44, 44]], device=dev)
    best, owner = iou(anc, gt).max(1)
    labels = torch.where(best > 0.3, owner, torch.full_like(owner, -1))
    return anc, boxes, keep, labels


want = detect("cpu")
for dev in ("cuda:0", "cuda:1"):
    got = detect(dev)
    assert all(t.device == torch.device(dev) for t in got)
    assert torch.allclose(got[0].cpu(), want[0]) and torch.allclose(got[1].cpu(), want[1], atol=1e-3)
    assert got[2].dtype == torch.int64 and torch.equal(got[2].cpu(), want[2])
    assert torch.equal(got[3].cpu(), want[3])
