# The step that is captured into a CUDA graph reads its loss with .item(), which needs a synchronisation.
# raises: RuntimeError: operation not permitted when stream is capturing
# raises: RuntimeError: captur
import torch
import torch.nn as nn


class MetricLog:
    def __init__(self):
        self.values = []

    def add(self, tensor):
        self.values.append(tensor.item())  # raises


class GraphedTrainer:
    """Captures forward, backward and the update into one graph and replays it."""

    def __init__(self, model, batch, features):
        self.model = model.cuda()
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.05)
        self.x = torch.zeros(batch, features, device="cuda")
        self.y = torch.zeros(batch, 1, device="cuda")
        self.log = MetricLog()
        self.graph = torch.cuda.CUDAGraph()
        self.stream = torch.cuda.Stream()

    def step(self):
        self.optimizer.zero_grad(set_to_none=False)
        loss = nn.functional.mse_loss(self.model(self.x), self.y)
        loss.backward()
        self.optimizer.step()
        self.log.add(loss.detach())
        return loss

    def warm_up(self, rounds=3):
        self.stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(self.stream):
            for _ in range(rounds):
                self.step()
        torch.cuda.current_stream().wait_stream(self.stream)
        torch.cuda.synchronize()

    def capture(self):
        with torch.cuda.stream(self.stream):
            self.graph.capture_begin()
            self.static_loss = self.step()
            self.graph.capture_end()
        torch.cuda.current_stream().wait_stream(self.stream)

    def fit(self, batches):
        for x, y in batches:
            self.x.copy_(x)
            self.y.copy_(y)
            self.graph.replay()
        return self.static_loss.item()


def main():
    torch.manual_seed(0)
    trainer = GraphedTrainer(nn.Sequential(nn.Linear(5, 8), nn.ReLU(), nn.Linear(8, 1)), 16, 5)
    trainer.warm_up()
    trainer.capture()
    data = [(torch.randn(16, 5), torch.randn(16, 1)) for _ in range(5)]
    print(trainer.fit(data))


main()
