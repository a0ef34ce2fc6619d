# torch.jit.trace bakes the device of torch.arange into the graph, so the traced module cannot move to cuda:1.
# raises: RuntimeError: Expected all tensors to be on the same device
import torch
import torch.nn as nn


class PositionalEncoder(nn.Module):
    def __init__(self, vocab=25, width=8, max_len=16):
        super().__init__()
        self.tokens = nn.Embedding(vocab, width)
        self.places = nn.Embedding(max_len, width)
        self.norm = nn.LayerNorm(width)

    def forward(self, ids):
        place = torch.arange(ids.size(1), device=ids.device)
        return self.norm(self.tokens(ids) + self.places(place))


class Scorer(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = PositionalEncoder()
        self.head = nn.Linear(8, 1)

    def forward(self, ids):
        return self.head(self.encoder(ids).mean(1)).squeeze(-1)


class ModelServer:
    """Serves one traced model and can move it to another card."""

    def __init__(self, traced, device):
        self.model = traced
        self.device = torch.device(device)

    def migrate(self, device):
        self.device = torch.device(device)
        self.model.to(self.device)
        for name, p in self.model.named_parameters():
            assert p.device == self.device, name

    @torch.no_grad()
    def score(self, ids):
        return self.model(ids.to(self.device)).cpu()  # raises


def export(model, example):
    traced = torch.jit.trace(model.eval(), example)
    for p in traced.parameters():
        p.requires_grad_(False)
    return traced


def main():
    torch.manual_seed(0)
    ids = torch.randint(0, 25, (4, 10))
    model = Scorer().to("cuda:0")
    server = ModelServer(export(model, ids.to("cuda:0")), "cuda:0")
    # the first card is needed for training
    server.migrate("cuda:1")
    print(server.score(ids))


if __name__ == "__main__":
    main()
