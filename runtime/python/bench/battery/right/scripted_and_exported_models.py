# TorchScript and torch.export of models on the GPU: control flow, moving between devices, saving and loading.
# runs
import io
import warnings

import torch
import torch.nn as nn

warnings.filterwarnings("ignore", category=DeprecationWarning)
warnings.filterwarnings("ignore", category=FutureWarning)


class BeamScorer(nn.Module):
    """Has data dependent control flow and makes tensors on the device of its input."""

    def __init__(self, vocab: int, width: int):
        super().__init__()
        self.embed = nn.Embedding(vocab, width)
        self.cell = nn.GRUCell(width, width)
        self.out = nn.Linear(width, vocab)

    def forward(self, start: torch.Tensor, steps: int) -> torch.Tensor:
        hidden = torch.zeros(start.size(0), self.cell.hidden_size, device=start.device)
        total = torch.zeros(start.size(0), device=start.device)
        token = start
        for i in range(steps):
            hidden = self.cell(self.embed(token), hidden)
            logp = torch.log_softmax(self.out(hidden), dim=-1)
            best, token = logp.max(dim=-1)
            if bool((total < -50.0).any()):
                break
            total = total + best
        return total


@torch.jit.script
def place(x: torch.Tensor, device: torch.device) -> torch.Tensor:
    if x.device != device:
        x = x.to(device)
    if x.is_cuda:
        return x * 2
    return x


class Mixer(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(6, 6)
        self.register_buffer("shift", torch.linspace(0, 1, 6))

    def forward(self, x, y):
        z = torch.nn.functional.silu(self.lin(x)) + self.shift
        return z @ y.mT, z.mean(-1)


def main():
    torch.manual_seed(0)
    model = BeamScorer(11, 8).cuda().eval()
    scripted = torch.jit.script(model)
    start = torch.tensor([1, 4, 7], device="cuda")
    with torch.no_grad():
        expected = model(start, 5)
        assert torch.allclose(scripted(start, 5), expected, atol=1e-4)

        buffer = io.BytesIO()
        torch.jit.save(scripted, buffer)
        for device in ("cpu", "cuda:0", "cuda:1"):
            buffer.seek(0)
            loaded = torch.jit.load(buffer, map_location=device)
            assert {str(p.device) for p in loaded.parameters()} == {device}
            out = loaded(start.to(device), 5)
            assert out.device == torch.device(device)
            assert torch.allclose(out.cpu(), expected.cpu(), atol=1e-3)
        scripted.to("cuda:1")
        assert scripted(start.to("cuda:1"), 2).device.index == 1

    assert place(torch.ones(1), torch.device("cuda:1")).item() == 2.0
    assert place(torch.ones(1, device="cuda"), torch.device("cpu")).item() == 1.0

    traced = torch.jit.trace(Mixer().cuda(1).eval(), (torch.randn(4, 6, device="cuda:1"), torch.randn(2, 6, device="cuda:1")))
    a, b = torch.randn(7, 6, device="cuda:1"), torch.randn(3, 6, device="cuda:1")
    z, m = traced(a, b)
    assert z.shape == (7, 3) and m.device.index == 1
    frozen = torch.jit.freeze(traced)
    torch.testing.assert_close(frozen(a, b)[0], z, rtol=1e-4, atol=1e-5)

    mixer = Mixer().to("cuda:0")
    batch = torch.export.Dim("batch", min=2, max=64)
    example = torch.randn(4, 6, device="cuda:0"), torch.randn(3, 6, device="cuda:0")
    program = torch.export.export(mixer, example, dynamic_shapes={"x": {0: batch}, "y": None})
    module = program.module()
    for n in (4, 9):
        x = torch.randn(n, 6, device="cuda:0")
        got, want = module(x, example[1]), mixer(x, example[1])
        torch.testing.assert_close(got, want, rtol=1e-4, atol=1e-5)
        assert got[0].device == torch.device("cuda:0") and got[0].shape == (n, 3)
    assert program.state_dict["lin.weight"].is_cuda
    targets = {str(node.target) for node in program.graph.nodes if node.op == "call_function"}
    assert any("silu" in t for t in targets), targets
    saved = io.BytesIO()
    torch.export.save(program, saved)
    saved.seek(0)
    again = torch.export.load(saved).module()
    torch.testing.assert_close(again(*example), mixer(*example), rtol=1e-4, atol=1e-5)
    print("scores", expected.tolist())


if __name__ == "__main__":
    main()
