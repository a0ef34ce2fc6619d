# Counters of a metric are on the CPU, predictions index them on the GPU.
# raises: RuntimeError: indices should be either on cpu or on the same device as the indexed tensor (cpu)
import torch

confusion = torch.zeros(3, 3)
predicted = torch.randint(3, (8,), device="cuda")
labels = torch.randint(3, (8,), device="cuda")
for p, t in zip(predicted.view(1, -1), labels.view(1, -1)):
    confusion[t, p] += 1  # raises
