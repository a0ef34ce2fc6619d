# Decompositions, einsum and transforms on the GPU.
# runs
import torch

a = torch.randn(4, 4, device="cuda", dtype=torch.double)
a = a @ a.T + 4 * torch.eye(4, device="cuda", dtype=torch.double)
assert torch.allclose(torch.linalg.inv(a) @ a, torch.eye(4, device="cuda", dtype=torch.double))
lower = torch.linalg.cholesky(a)
assert torch.allclose(torch.einsum("ij,kj->ik", lower, lower), a)
u, s, vh = torch.linalg.svd(a)
assert torch.allclose(u * s @ vh, a) and torch.linalg.solve(a, a).is_cuda
assert torch.fft.ifft(torch.fft.fft(s)).real.is_cuda
