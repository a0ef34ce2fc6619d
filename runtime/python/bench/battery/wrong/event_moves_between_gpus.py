# One reusable event is recorded first on a stream of the first GPU and then on one of the second.
# raises: RuntimeError: Event device
import torch
from torch import nn


class Pipeline:
    def __init__(self):
        self.devices = [torch.device("cuda", i) for i in range(2)]
        self.stages = [nn.Linear(8, 8).to(d) for d in self.devices]
        self.streams = [torch.cuda.Stream(d) for d in self.devices]
        self.done = torch.cuda.Event()

    def forward(self, x):
        for device, stage, stream in zip(self.devices, self.stages, self.streams):
            x = x.to(device)
            stream.wait_stream(torch.cuda.current_stream(device))
            with torch.cuda.stream(stream):
                x = torch.relu(stage(x))
                self.done.record(stream)  # raises
            torch.cuda.current_stream(device).wait_event(self.done)
        return x


with torch.no_grad():
    print(Pipeline().forward(torch.randn(4, 8, device="cuda:0")).shape)
