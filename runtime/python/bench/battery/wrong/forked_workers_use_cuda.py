# The dataset moves every item to the GPU inside DataLoader workers that were forked after CUDA was initialised.
# raises: RuntimeError: Cannot re-initialize CUDA in forked subprocess
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset


class SpectrogramDataset(Dataset):
    def __init__(self, clips, n_fft=32, device="cuda:0"):
        self.clips = clips
        self.n_fft = n_fft
        self.device = device

    def __len__(self):
        return len(self.clips)

    def transform(self, wave):
        window = torch.hann_window(self.n_fft, device=wave.device)
        spec = torch.stft(wave, self.n_fft, hop_length=16, window=window, return_complex=True)
        return torch.log1p(spec.abs())

    def __getitem__(self, index):
        wave, label = self.clips[index]
        wave = wave.to(self.device)
        return self.transform(wave), label


class KeywordSpotter(nn.Module):
    def __init__(self, bins, classes):
        super().__init__()
        self.conv = nn.Conv1d(bins, 8, 3, padding=1)
        self.head = nn.Linear(8, classes)

    def forward(self, spec):
        return self.head(torch.relu(self.conv(spec)).mean(-1))


def synth(n, samples=256):
    t = torch.arange(samples) / samples
    clips = []
    for i in range(n):
        label = i % 3
        clips.append((torch.sin(2 * torch.pi * (8 + 8 * label) * t), label))
    return clips


def run(device="cuda:0"):
    torch.manual_seed(0)
    model = KeywordSpotter(17, 3).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    loader = DataLoader(SpectrogramDataset(synth(12), device=device), batch_size=4, num_workers=2)
    for epoch in range(2):
        for spec, label in loader:  # raises
            loss = nn.functional.cross_entropy(model(spec), label.to(device))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(epoch, loss.item())


if __name__ == "__main__":
    run()
