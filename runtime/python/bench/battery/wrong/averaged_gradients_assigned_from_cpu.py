# A parameter-server style loop averages the workers' gradients on the CPU and assigns them to CUDA parameters.
# raises: RuntimeError: attempting to assign a gradient with device type 'cpu' to a tensor with device type 'cuda'
import copy
from concurrent.futures import ThreadPoolExecutor

import torch
import torch.nn as nn


def make_model():
    return nn.Sequential(nn.Linear(8, 16), nn.ELU(), nn.Linear(16, 3))


class Worker:
    """Holds a replica on one GPU and reports gradients."""

    def __init__(self, device, seed):
        self.device = torch.device(device)
        self.replica = make_model().to(self.device)
        self.generator = torch.Generator().manual_seed(seed)

    def pull(self, state):
        self.replica.load_state_dict(state)

    def gradients(self):
        x = torch.randn(16, 8, generator=self.generator)
        y = (x[:, :3]).argmax(1)
        loss = nn.functional.cross_entropy(self.replica(x.to(self.device)), y.to(self.device))
        grads = torch.autograd.grad(loss, list(self.replica.parameters()))
        return loss.item(), [g.cpu() for g in grads]


class ParameterServer:
    def __init__(self, model, workers, lr=0.1):
        self.model = model
        self.workers = workers
        self.optimizer = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9)
        self.pool = ThreadPoolExecutor(max_workers=len(workers))

    def broadcast(self):
        state = copy.deepcopy(self.model.state_dict())
        for worker in self.workers:
            worker.pull(state)

    def reduce(self, reports):
        stacks = zip(*(grads for _, grads in reports))
        return [torch.stack(s).mean(0) for s in stacks]

    def apply(self, grads):
        for p, g in zip(self.model.parameters(), grads):
            p.grad = g  # raises
        self.optimizer.step()

    def round(self):
        self.broadcast()
        reports = list(self.pool.map(Worker.gradients, self.workers))
        self.apply(self.reduce(reports))
        return sum(loss for loss, _ in reports) / len(reports)


def main():
    torch.manual_seed(0)
    workers = [Worker(f"cuda:{i}", seed=i) for i in range(torch.cuda.device_count())]
    server = ParameterServer(make_model().to("cuda:0"), workers)
    for r in range(3):
        print("round", r, server.round())


if __name__ == "__main__":
    main()
