# CUDA generators, RNG states, fork_rng and reproducible sampling.
# runs
import random

import numpy as np
import torch


def set_seed(seed):
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)


class Sampler:
    """Draws noise, permutations and categories from its own generator."""

    def __init__(self, device, seed):
        self.device = torch.device(device)
        self.generator = torch.Generator(device=self.device)
        self.generator.manual_seed(seed)

    def draw(self):
        g, d = self.generator, self.device
        return (
            torch.randn(5, generator=g, device=d),
            torch.rand(2, 3, generator=g, device=d),
            torch.randperm(7, generator=g, device=d),
            torch.randint(0, 9, (4,), generator=g, device=d),
            torch.multinomial(torch.full((6,), 1 / 6, device=d), 3, generator=g),
            torch.bernoulli(torch.full((8,), 0.3, device=d), generator=g),
            torch.empty(3, device=d).exponential_(generator=g),
            torch.normal(torch.zeros(4, device=d), 2.0, generator=g),
        )


def same(a, b):
    return all(torch.equal(x, y) for x, y in zip(a, b))


def main():
    for device in ("cuda:0", "cuda:1", "cpu"):
        one, two = Sampler(device, 42), Sampler(device, 42)
        first = one.draw()
        assert same(first, two.draw())
        assert all(t.device == torch.device(device) for t in first)
        assert not torch.equal(one.draw()[0], first[0])
        assert first[2].sort().values.tolist() == list(range(7))
        assert len(set(first[4].tolist())) == 3
        assert one.generator.initial_seed() == 42
        assert one.generator.device == torch.device(device)

        state = one.generator.get_state()
        assert state.dtype == torch.uint8 and state.device.type == "cpu"
        ahead = one.draw()
        one.generator.set_state(state)
        assert same(ahead, one.draw())
        three = Sampler(device, 0)
        three.generator = one.generator.clone_state()
        assert same(one.draw(), three.draw())

    set_seed(3)
    saved = torch.cuda.get_rng_state_all()
    assert len(saved) == torch.cuda.device_count() == 2
    a = [torch.randn(4, device=f"cuda:{i}") for i in range(2)]
    torch.cuda.set_rng_state_all(saved)
    b = [torch.randn(4, device=f"cuda:{i}") for i in range(2)]
    assert same(a, b)

    # the global state outside fork_rng does not move
    before = torch.cuda.get_rng_state(1)
    with torch.random.fork_rng(devices=[0, 1]):
        torch.manual_seed(99)
        torch.randn(100, device="cuda:1")
        torch.dropout(torch.ones(50, device="cuda:0"), 0.5, True)
        assert not torch.equal(before, torch.cuda.get_rng_state(1))
    assert torch.equal(before, torch.cuda.get_rng_state(1))

    torch.cuda.manual_seed_all(11)
    x = torch.rand(3, device="cuda:0")
    torch.cuda.manual_seed(11)
    assert torch.cuda.current_device() == 0 and torch.equal(x, torch.rand(3, device="cuda:0"))
    assert torch.cuda.initial_seed() == 11
    # the CPU stream is independent of the CUDA one
    torch.manual_seed(5)
    c = torch.rand(3)
    torch.manual_seed(5)
    torch.rand(1000, device="cuda:1")
    assert torch.equal(c, torch.rand(3))
    print("ok", x.tolist())


main()
