# A half precision FFT of 400 samples: cuFFT takes powers of two only in half precision.
# raises: RuntimeError: cuFFT only supports dimensions whose sizes are powers of two when computing in half precision
import math

import torch
import torch.nn as nn


def mel_filterbank(bins, mels, rate):
    """Triangular filters, (bins, mels)."""

    def to_mel(f):
        return 2595.0 * math.log10(1.0 + f / 700.0)

    points = torch.linspace(0.0, to_mel(rate / 2), mels + 2)
    hz = 700.0 * (10 ** (points / 2595.0) - 1)
    freqs = torch.linspace(0, rate / 2, bins)
    up = (freqs[:, None] - hz[None, :-2]) / (hz[1:-1] - hz[:-2])
    down = (hz[None, 2:] - freqs[:, None]) / (hz[2:] - hz[1:-1])
    return torch.minimum(up, down).clamp(min=0)


class LogMel(nn.Module):
    """25 ms frames every 10 ms."""

    def __init__(self, rate=16000, mels=20):
        super().__init__()
        self.frame, self.hop = rate * 25 // 1000, rate * 10 // 1000
        self.register_buffer("window", torch.hann_window(self.frame))
        self.register_buffer("mel", mel_filterbank(self.frame // 2 + 1, mels, rate))

    def spectrum(self, frames):
        return torch.fft.rfft(frames, dim=-1)  # raises

    def forward(self, wave):
        frames = wave.unfold(-1, self.frame, self.hop) * self.window
        power = self.spectrum(frames).abs().square()
        return torch.log(power @ self.mel + 1e-4)


class SpeakerNet(nn.Module):
    def __init__(self, mels=20, speakers=4):
        super().__init__()
        self.front = LogMel(mels=mels)
        self.body = nn.Sequential(nn.Linear(mels, 16), nn.ReLU())
        self.head = nn.Linear(16, speakers)

    def forward(self, wave):
        return self.head(self.body(self.front(wave)).mean(1))


def tone(batch, seconds=0.1, rate=16000):
    t = torch.arange(int(seconds * rate)) / rate
    f = 220.0 * (1 + torch.arange(batch))
    return torch.sin(2 * math.pi * f[:, None] * t) * 0.1


def infer(dtype, wave):
    torch.manual_seed(0)
    net = SpeakerNet().to("cuda:0", dtype).eval()
    with torch.no_grad():
        return net(wave.to("cuda:0", dtype)).softmax(-1)


if __name__ == "__main__":
    wave = tone(4)
    for dtype in (torch.float32, torch.float16):
        print(dtype, infer(dtype, wave).argmax(-1).tolist())
