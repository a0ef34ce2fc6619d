# FFT, STFT and complex arithmetic on the GPU against the CPU, and training of a complex filter.
# runs
import math

import torch
import torch.nn as nn


def analytic_signal(x):
    """Hilbert transform along the last axis."""
    n = x.size(-1)
    gain = torch.zeros(n, device=x.device, dtype=x.dtype)
    gain[0] = gain[n // 2] = 1
    gain[1 : n // 2] = 2
    return torch.fft.ifft(torch.fft.fft(x) * gain)


class ComplexLinear(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        scale = 1 / math.sqrt(2 * inputs)
        self.weight = nn.Parameter(torch.randn(outputs, inputs, dtype=torch.complex64) * scale)
        self.bias = nn.Parameter(torch.zeros(outputs, dtype=torch.complex64))

    def forward(self, z):
        return nn.functional.linear(z, self.weight, self.bias)


class SpectralConv(nn.Module):
    """The core of a Fourier neural operator in one dimension."""

    def __init__(self, channels, modes):
        super().__init__()
        self.modes = modes
        self.weight = nn.Parameter(torch.randn(channels, channels, modes, dtype=torch.cfloat) / channels)

    def forward(self, x):
        ft = torch.fft.rfft(x)
        out = torch.zeros_like(ft)
        out[..., : self.modes] = torch.einsum("bim,iom->bom", ft[..., : self.modes], self.weight)
        return torch.fft.irfft(out, n=x.size(-1))


def close(a, b, tol=1e-4):
    torch.testing.assert_close(a.cpu(), b.cpu(), rtol=tol, atol=tol)


def main():
    torch.manual_seed(0)
    t = torch.arange(256) / 256
    wave = torch.sin(2 * math.pi * 12 * t) + 0.5 * torch.cos(2 * math.pi * 30 * t)
    gpu = wave.to("cuda:1")

    spectrum = torch.fft.rfft(gpu)
    assert spectrum.is_complex() and spectrum.device == gpu.device and spectrum.shape == (129,)
    assert spectrum.abs().topk(2).indices.sort().values.tolist() == [12, 30]
    close(spectrum, torch.fft.rfft(wave), 1e-3)
    close(torch.fft.irfft(spectrum), wave)
    close(torch.fft.fftshift(torch.fft.fftfreq(8, device="cuda:1")), torch.fft.fftshift(torch.fft.fftfreq(8)))

    # convolution theorem
    kernel = torch.hann_window(256, device="cuda:1")
    product = torch.fft.ifft(torch.fft.fft(gpu) * torch.fft.fft(kernel)).real
    direct = torch.stack([(gpu.roll(-k).flip(0).roll(1) * kernel).sum() for k in range(3)])
    close(product[:3], direct, 1e-2)

    envelope = analytic_signal(torch.cos(2 * math.pi * 20 * t).cuda()).abs()
    close(envelope, torch.ones(256), 1e-3)

    window = torch.hann_window(32, device=gpu.device)
    frames = torch.stft(gpu, 32, hop_length=8, window=window, return_complex=True)
    assert frames.shape == (17, 33)
    close(torch.istft(frames, 32, hop_length=8, window=window, length=256), wave)

    z = torch.randn(3, 4, dtype=torch.complex64, device="cuda:0")
    close(torch.view_as_complex(torch.view_as_real(z)), z)
    close(torch.polar(z.abs(), z.angle()), z)
    close(z @ z.mH, z.cpu() @ z.cpu().mH)
    assert (z @ z.mH).diagonal().imag.abs().max() < 1e-4
    assert torch.complex(z.real, z.imag).equal(z) and z.conj().is_conj()
    assert torch.is_complex(torch.fft.fft2(torch.randn(4, 4, device="cuda")))

    target = ComplexLinear(4, 2).cuda().requires_grad_(False)
    model = ComplexLinear(4, 2).cuda()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
    x = torch.randn(64, 4, dtype=torch.complex64, device="cuda")
    losses = []
    for _ in range(40):
        loss = (model(x) - target(x)).abs().square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert model.weight.grad.is_complex() and losses[-1] < 0.5 * losses[0], losses

    layer = SpectralConv(2, 5).cuda()
    x = torch.randn(3, 2, 32, device="cuda", requires_grad=True)
    y = layer(x)
    y.square().sum().backward()
    reference = SpectralConv(2, 5)
    reference.load_state_dict(layer.state_dict())
    close(y, reference(x.detach().cpu()), 1e-3)
    assert layer.weight.grad.dtype == torch.complex64 and x.grad.shape == x.shape
    print(losses[0], "->", losses[-1])


if __name__ == "__main__":
    main()
