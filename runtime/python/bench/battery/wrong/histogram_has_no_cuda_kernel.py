# Weight histograms are taken with torch.histogram, which exists for the CPU only.
# raises: NotImplementedError: Could not run 'aten::histogram.bin_ct' with arguments from the 'CUDA' backend.
import torch
from torch import nn


class WeightReport:
    def __init__(self, bins=20, low=-1.0, high=1.0):
        self.bins, self.range = bins, (low, high)
        self.rows = {}

    def add(self, name, parameter):
        flat = parameter.detach().flatten()
        counts, edges = torch.histogram(flat, bins=self.bins, range=self.range)  # raises
        self.rows[name] = (counts, edges)

    def show(self):
        for name, (counts, edges) in self.rows.items():
            top = counts.argmax().item()
            print(f"{name}: most weights in [{edges[top]:.2f}, {edges[top + 1]:.2f})")


model = nn.Sequential(nn.Linear(10, 30), nn.ReLU(), nn.Linear(30, 2)).cuda()
report = WeightReport()
for name, parameter in model.named_parameters():
    report.add(name, parameter)
report.show()
