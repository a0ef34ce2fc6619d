# Long convolutions through the FFT equal direct ones, with gradients, in a global-convolution layer.
# runs
import torch
import torch.nn.functional as F
from torch import nn


class LongConv(nn.Module):
    def __init__(self, channels, length):
        super().__init__()
        self.kernel = nn.Parameter(torch.randn(channels, length) / length ** 0.5)

    def forward(self, x):
        n = x.size(-1)
        size = 2 * n
        spectrum = torch.fft.rfft(x, n=size) * torch.fft.rfft(self.kernel, n=size)
        return torch.fft.irfft(spectrum, n=size)[..., :n]


def direct(x, kernel):
    padded = F.pad(x, (kernel.size(1) - 1, 0))
    return F.conv1d(padded, kernel.flip(1).unsqueeze(1), groups=kernel.size(0))


torch.manual_seed(3)
layer = LongConv(4, 32).double().to("cuda:0")
x = torch.randn(2, 4, 32, dtype=torch.float64)
out = layer(x.to("cuda:0"))
out.pow(3).sum().backward()
kernel = layer.kernel.detach().cpu().requires_grad_()
expected = direct(x, kernel)
expected.pow(3).sum().backward()
assert out.shape == (2, 4, 32) and out.dtype == torch.float64
assert torch.allclose(out.detach().cpu(), expected.detach(), atol=1e-9)
assert torch.allclose(layer.kernel.grad.cpu(), kernel.grad, atol=1e-8)

image = torch.randn(3, 8, 8, device="cuda:0", dtype=torch.float64)
spectrum = torch.fft.fftshift(torch.fft.fft2(image), dim=(-2, -1))
assert spectrum.dtype == torch.complex128 and spectrum.is_cuda
back = torch.fft.ifft2(torch.fft.ifftshift(spectrum, dim=(-2, -1)))
assert torch.allclose(back.real, image) and back.imag.abs().max() < 1e-10
assert torch.allclose(spectrum.abs().square().sum() / 64, image.square().sum())
assert torch.fft.rfftfreq(8, device="cuda:0").tolist() == [0.0, 0.125, 0.25, 0.375, 0.5]
