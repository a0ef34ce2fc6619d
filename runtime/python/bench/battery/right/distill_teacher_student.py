# distillation: frozen teacher on GPU 1, student on GPU 0, soft targets cross over
# runs
import torch
import torch.nn as nn
import torch.nn.functional as F


def nets():
    torch.manual_seed(0)
    teacher = nn.Sequential(nn.Linear(8, 64), nn.ReLU(), nn.Linear(64, 5))
    student = nn.Sequential(nn.Linear(8, 12), nn.ReLU(), nn.Linear(12, 5))
    return teacher, student


class Distiller:
    def __init__(self, tdev, sdev, T=2.0, alpha=0.7):
        self.teacher, self.student = nets()
        self.teacher.to(tdev).eval().requires_grad_(False)
        self.student.to(sdev)
        self.tdev, self.sdev, self.T, self.alpha = tdev, sdev, T, alpha
        self.opt = torch.optim.AdamW(self.student.parameters(), lr=1e-3)

    def step(self, x, y):
        with torch.inference_mode():
            soft = F.softmax(self.teacher(x.to(self.tdev)) / self.T, -1)
        soft = soft.to(self.sdev, copy=True).clone()
        logits = self.student(x.to(self.sdev))
        kd = F.kl_div(F.log_softmax(logits / self.T, -1), soft, reduction="batchmean") * self.T**2
        ce = F.cross_entropy(logits, y.to(self.sdev))
        loss = self.alpha * kd + (1 - self.alpha) * ce
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss


gpu, cpu = Distiller("cuda:1", "cuda:0"), Distiller("cpu", "cpu")
g = torch.Generator().manual_seed(1)
for _ in range(4):
    x, y = torch.randn(20, 8, generator=g), torch.randint(0, 5, (20,), generator=g)
    a, b = gpu.step(x, y), cpu.step(x, y)
    assert a.device == torch.device("cuda:0")
    assert abs(a.item() - b.item()) < 2e-3
assert all(p.grad is None and p.device.index == 1 for p in gpu.teacher.parameters())
for p, q in zip(gpu.student.parameters(), cpu.student.parameters()):
    assert p.device.index == 0 and torch.allclose(p.detach().cpu(), q, atol=2e-3)
