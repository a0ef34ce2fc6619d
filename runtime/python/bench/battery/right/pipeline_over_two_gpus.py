# Manual pipeline parallelism with micro-batches over two cards, checked against one CPU pass.
# runs
import copy
from dataclasses import dataclass

import torch
import torch.nn as nn


@dataclass
class Stage:
    module: nn.Module
    device: torch.device

    def __post_init__(self):
        self.module.to(self.device)

    def __call__(self, x):
        return self.module(x.to(self.device, non_blocking=True))


class Pipeline(nn.Module):
    def __init__(self, layers, devices, micro_batches):
        super().__init__()
        per = -(-len(layers) // len(devices))
        self.micro_batches = micro_batches
        self.parts = nn.ModuleList(nn.Sequential(*layers[i : i + per]) for i in range(0, len(layers), per))
        self.stages = [Stage(m, torch.device(d)) for m, d in zip(self.parts, devices)]

    def forward(self, x):
        outs = []
        for chunk in x.chunk(self.micro_batches):
            for stage in self.stages:
                chunk = stage(chunk)
            outs.append(chunk)
        return torch.cat(outs)


def layers(width=8, depth=4):
    made = []
    for _ in range(depth):
        made += [nn.Sequential(nn.Linear(width, width), nn.LayerNorm(width), nn.GELU())]
    return made


def main():
    torch.manual_seed(1)
    blocks = layers()
    plain = nn.Sequential(*copy.deepcopy(blocks))
    pipe = Pipeline(blocks, ["cuda:0", "cuda:1"], micro_batches=3)
    assert {p.device.index for p in pipe.parts[0].parameters()} == {0}
    assert {p.device.index for p in pipe.parts[1].parameters()} == {1}

    x, y = torch.randn(9, 8), torch.randn(9, 8)
    out = pipe(x)
    assert out.device == torch.device("cuda", 1)
    loss = nn.functional.mse_loss(out, y.to(out.device))
    loss.backward()
    nn.functional.mse_loss(plain(x), y).backward()
    for a, b in zip(pipe.parts.parameters(), plain.parameters()):
        assert a.grad.device == a.device
        torch.testing.assert_close(a.grad.cpu(), b.grad, rtol=1e-3, atol=1e-5)

    # the norm over parameters on two devices is computed on the first one
    total = nn.utils.clip_grad_norm_(pipe.parameters(), 1e-3)
    expected = torch.linalg.vector_norm(torch.cat([p.grad.flatten() for p in plain.parameters()]))
    torch.testing.assert_close(total.cpu(), expected, rtol=1e-3, atol=1e-6)
    clipped = torch.cat([p.grad.flatten().cpu() for p in pipe.parameters()]).norm()
    assert clipped <= 1.01e-3

    optimizer = torch.optim.Adam(pipe.parameters(), lr=1e-2)
    first = loss.item()
    for _ in range(15):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(pipe(x), y.to("cuda:1"))
        loss.backward()
        optimizer.step()
    assert loss.item() < first
    for p, s in optimizer.state.items():
        assert s["exp_avg"].device == p.device and s["step"].device.type == "cpu"
    print(first, "->", loss.item())


main()
