# A generator of the GPU repeats its numbers.
# runs
import torch

generator = torch.Generator(device="cuda").manual_seed(7)
first = torch.randn(5, generator=generator, device="cuda")
generator.manual_seed(7)
assert torch.equal(first, torch.randn(5, generator=generator, device="cuda"))
state = generator.get_state()
second = torch.rand(5, generator=generator, device="cuda")
generator.set_state(state)
assert torch.equal(second, torch.rand(5, generator=generator, device="cuda"))
