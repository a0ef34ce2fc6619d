# A spectrogram front end makes its window on the CPU for a signal on the GPU.
# raises: RuntimeError: stft input and window must be on the same device but got self on cuda:0 and window on cpu
import torch
from torch import nn


class LogSpectrogram(nn.Module):
    def __init__(self, n_fft=64, hop=16):
        super().__init__()
        self.n_fft, self.hop = n_fft, hop

    def forward(self, signal):
        window = torch.hann_window(self.n_fft)
        spectrum = torch.stft(signal, self.n_fft, self.hop, window=window, return_complex=True)  # raises
        return torch.log1p(spectrum.abs())


class KeywordSpotter(nn.Module):
    def __init__(self, words=3):
        super().__init__()
        self.front = LogSpectrogram()
        self.pool = nn.AdaptiveAvgPool1d(4)
        self.head = nn.Linear(33 * 4, words)

    def forward(self, signal):
        return self.head(self.pool(self.front(signal)).flatten(1))


model = KeywordSpotter().to("cuda:0")
time = torch.linspace(0, 1, 800, device="cuda:0")
signal = torch.stack([torch.sin(440 * time), torch.sin(660 * time)])
print(model(signal).softmax(dim=1))
