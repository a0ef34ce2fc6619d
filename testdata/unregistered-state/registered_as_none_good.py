# A buffer that is registered with None is one all the same once it has a value.
import torch


class Queue(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(4, 4)
        self.register_buffer("queue", None)
        self.queue = torch.rand(6, 4)

    def forward(self, x):
        return self.fc(x) @ self.queue.t()


print(Queue().to("cuda:0")(torch.rand(2, 4, device="cuda:0")).shape)
