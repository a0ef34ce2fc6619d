# a replay buffer of images is preallocated on a GPU of 16 GiB
# raises: OutOfMemoryError: CUDA out of memory. Tried to allocate 40.00 GiB.
import torch


class ReplayBuffer:
    def __init__(self, capacity, shape, device):
        self.capacity, self.n = capacity, 0
        self.actions = torch.zeros(capacity, dtype=torch.long, device=device)
        self.frames = torch.empty(capacity, *shape, dtype=torch.float32, device=device)  # raises

    def push(self, frame, action):
        i = self.n % self.capacity
        self.frames[i].copy_(frame)
        self.actions[i] = action
        self.n += 1


small = ReplayBuffer(2**10, (4, 64, 64), "cuda:1")
small.push(torch.rand(4, 64, 64), 3)
assert small.actions[0].item() == 3
big = ReplayBuffer(640 * 2**10, (4, 64, 64), "cuda:1")  # raises
big.push(torch.rand(4, 64, 64), 1)
