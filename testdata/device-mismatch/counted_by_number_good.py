# An integer tensor without dimensions is read as a number where it indexes.
import torch

counts = torch.zeros(4, 4, dtype=torch.int64)
labels = torch.tensor([0, 1, 2], device="cuda")
for label, guess in zip(labels.view(-1), labels.flip(0)):
    counts[label.long(), guess] += 1
    print(counts[label, guess], counts[label])
