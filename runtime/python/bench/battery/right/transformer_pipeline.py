# A language model with encoder layers on two GPUs, tied weights and a causal mask, equals the same one on the CPU.
# runs
import copy

import torch
from torch import nn


class LanguageModel(nn.Module):
    def __init__(self, vocab=25, dim=12, depth=4):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.position = nn.Parameter(torch.randn(16, dim) * 0.02)
        self.layers = nn.ModuleList(
            nn.TransformerEncoderLayer(dim, 3, 24, dropout=0.0, batch_first=True, norm_first=True) for _ in range(depth))
        self.norm = nn.LayerNorm(dim)
        self.head = nn.Linear(dim, vocab, bias=False)
        self.head.weight = self.embed.weight
        self.devices = ["cpu"] * depth

    def split(self, devices):
        self.devices = devices
        self.embed.to(devices[0])
        self.position.data = self.position.data.to(devices[0])
        self.norm.to(devices[0])
        for layer, device in zip(self.layers, devices):
            layer.to(device)
        return self

    def forward(self, ids):
        home = self.devices[0]
        ids = ids.to(home)
        x = self.embed(ids) + self.position[: ids.size(1)]
        masks = {}
        for layer, device in zip(self.layers, self.devices):
            if device not in masks:
                masks[device] = nn.Transformer.generate_square_subsequent_mask(ids.size(1), device, x.dtype)
            x = layer(x.to(device), src_mask=masks[device], is_causal=True)
        return self.head(self.norm(x.to(home)))


def loss_of(model, ids):
    logits = model(ids[:, :-1])
    return nn.functional.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten().to(logits.device))


torch.manual_seed(40)
cpu = LanguageModel().double()
gpu = copy.deepcopy(cpu).split(["cuda:0", "cuda:0", "cuda:1", "cuda:1"])
assert gpu.head.weight is gpu.embed.weight and gpu.head.weight.device == torch.device("cuda:0")
ids = torch.randint(0, 25, (3, 11))
a, b = loss_of(cpu, ids), loss_of(gpu, ids)
a.backward()
b.backward()
assert b.device == torch.device("cuda:0") and torch.allclose(a.detach(), b.detach().cpu(), atol=1e-8)
for (name, p), q in zip(cpu.named_parameters(), gpu.parameters()):
    assert q.grad.device == q.device and torch.allclose(p.grad, q.grad.cpu(), atol=1e-7), name
assert [next(l.parameters()).get_device() for l in gpu.layers] == [0, 0, 1, 1]
cpu.eval()
gpu.eval()
with torch.no_grad():
    assert torch.allclose(cpu(ids), gpu(ids).cpu(), atol=1e-8)
