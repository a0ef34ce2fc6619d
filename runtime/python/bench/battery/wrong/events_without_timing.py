# A timer asks for the time between two events that were made without timing.
# raises: ValueError: Both events must be created with argument 'enable_timing=True'.
import torch


class GpuTimer:
    def __init__(self, name):
        self.name = name
        self.start = torch.cuda.Event()
        self.stop = torch.cuda.Event()

    def __enter__(self):
        self.start.record()
        return self

    def __exit__(self, *exc):
        self.stop.record()
        self.stop.synchronize()

    def milliseconds(self):
        return self.start.elapsed_time(self.stop)  # raises


a = torch.randn(256, 256, device="cuda:0")
with GpuTimer("matmul") as timer:
    b = a @ a.t()
    b = b.relu_()
print(timer.name, timer.milliseconds())
