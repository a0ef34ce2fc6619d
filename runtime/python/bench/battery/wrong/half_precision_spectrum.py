# A half-precision spectrum is taken of frames whose length is no power of two.
# raises: RuntimeError: cuFFT only supports dimensions whose sizes are powers of two when computing in half precision, but got a signal size of
import torch
from torch import nn


class SpectralFilter(nn.Module):
    def __init__(self, frame):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(frame // 2 + 1, dtype=torch.float16))
        self.frame = frame

    def forward(self, x):
        spectrum = torch.fft.rfft(x, dim=-1)  # raises
        spectrum = spectrum * self.gain
        return torch.fft.irfft(spectrum, n=self.frame, dim=-1)


def frames(signal, size):
    return signal[: signal.numel() // size * size].view(-1, size)


device = torch.device("cuda:0")
signal = torch.sin(torch.linspace(0, 200, 1000)).half().to(device)
filt = SpectralFilter(100).to(device)
with torch.no_grad():
    print(filt(frames(signal, 100)).shape)
