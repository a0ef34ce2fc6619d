# CUDA events for timing the training steps are made without enable_timing
# raises: ValueError: Both events must be created with argument 'enable_timing=True'.
# raises: RuntimeError: Both events must be created with argument 'enable_timing=True'.
import torch
import torch.nn as nn


class StepTimer:
    def __init__(self):
        self.start, self.end, self.total = torch.cuda.Event(), torch.cuda.Event(), 0.0

    def __enter__(self):
        self.start.record()

    def __exit__(self, *exc):
        self.end.record()
        self.end.synchronize()
        self.total += self.start.elapsed_time(self.end)  # raises


model = nn.Linear(64, 64).to("cuda:0")
opt = torch.optim.SGD(model.parameters(), lr=0.01)
timer = StepTimer()
for _ in range(3):
    with timer:  # raises
        opt.zero_grad()
        model(torch.randn(32, 64, device="cuda:0")).pow(2).mean().backward()
        opt.step()
print(timer.total)
