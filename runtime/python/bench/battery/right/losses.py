# A zoo of losses gives the same values and input gradients on the GPU as on the CPU.
# runs
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(8)
n, c = 9, 5
scores = torch.randn(n, c, dtype=torch.float64)
other = torch.randn(n, c, dtype=torch.float64)
labels = torch.randint(0, c, (n,))
labels[3] = -100
multi = (torch.rand(n, c) > 0.5).double()
weights = torch.rand(c, dtype=torch.float64) + 0.5
sign = torch.where(torch.rand(n) > 0.5, 1.0, -1.0).double()


def losses(d):
    y, m, w, o, s = (t.to(d) for t in (labels, multi, weights, other, sign))
    return {
        "ce": lambda t: F.cross_entropy(t, y, weight=w, label_smoothing=0.1),
        "nll": lambda t: F.nll_loss(t.log_softmax(1), y),
        "bce": lambda t: F.binary_cross_entropy_with_logits(t, m, pos_weight=w),
        "bce probabilities": lambda t: nn.BCELoss()(t.sigmoid(), m),
        "kl": lambda t: F.kl_div(t.log_softmax(1), o.softmax(1), reduction="batchmean"),
        "huber": lambda t: F.huber_loss(t, o, delta=0.5),
        "l1": lambda t: nn.L1Loss(reduction="sum")(t, o),
        "margin": lambda t: F.multi_margin_loss(t, y.clamp_min(0)),
        "cosine": lambda t: F.cosine_embedding_loss(t, o, s, margin=0.2),
        "triplet": lambda t: F.triplet_margin_loss(t, o, o.flip(0)),
        "poisson": lambda t: F.poisson_nll_loss(t, m),
        "gaussian": lambda t: F.gaussian_nll_loss(t, o, o.square() + 0.1),
        "hinge": lambda t: F.hinge_embedding_loss(t[:, 0], s),
    }


on_cpu, on_gpu = losses("cpu"), losses("cuda:0")
for name in on_cpu:
    a = scores.clone().requires_grad_()
    b = scores.to("cuda:0").requires_grad_()
    x, y = on_cpu[name](a), on_gpu[name](b)
    x.backward()
    y.backward()
    assert y.dim() == 0 and y.device == torch.device("cuda:0"), name
    assert torch.allclose(y.detach().cpu(), x.detach(), atol=1e-8), name
    assert torch.allclose(b.grad.cpu(), a.grad, atol=1e-8), name
