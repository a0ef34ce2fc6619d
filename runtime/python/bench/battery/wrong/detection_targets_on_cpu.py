# anchors are made on the GPU, the ground truth boxes of the sample are still on the CPU
# raises: RuntimeError: Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!
import torch


def make_anchors(n, stride, size, device):
    c = (torch.arange(n, device=device).float() + 0.5) * stride
    y, x = torch.meshgrid(c, c, indexing="ij")
    return torch.stack([x - size / 2, y - size / 2, x + size / 2, y + size / 2], -1).reshape(-1, 4)


def iou(a, b):
    lt = torch.maximum(a[:, None, :2], b[None, :, :2])  # raises
    rb = torch.minimum(a[:, None, 2:], b[None, :, 2:])
    inter = (rb - lt).clamp(min=0).prod(-1)
    area_a, area_b = (a[:, 2:] - a[:, :2]).prod(-1), (b[:, 2:] - b[:, :2]).prod(-1)
    return inter / (area_a[:, None] + area_b - inter)


def match(anchors, sample, thr=0.5):
    best, owner = iou(anchors, sample["boxes"]).max(1)  # raises
    return torch.where(best >= thr, sample["labels"].to(anchors.device)[owner], -1)


sample = {"boxes": torch.tensor([[0.0, 0, 16, 16], [30, 30, 50, 50]]), "labels": torch.tensor([1, 2])}
anchors = make_anchors(8, 8, 16, "cuda:0")
print(match(anchors, sample).tolist())  # raises
