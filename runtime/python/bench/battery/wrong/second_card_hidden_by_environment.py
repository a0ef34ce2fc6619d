# One card is hidden by CUDA_VISIBLE_DEVICES, but the placement table still names cuda:1.
# raises: RuntimeError: invalid device ordinal
# environment: CUDA_VISIBLE_DEVICES=1
import json

import torch
import torch.nn as nn

PLACEMENT = json.loads(
    """
    {"encoder": "cuda:0", "decoder": "cuda:1", "latent": 4}
    """
)


class Autoencoder(nn.Module):
    def __init__(self, features, latent):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(features, 16), nn.ReLU(), nn.Linear(16, latent))
        self.decoder = nn.Sequential(nn.Linear(latent, 16), nn.ReLU(), nn.Linear(16, features))

    def place(self, table):
        self.devices = {}
        for name, child in self.named_children():
            device = torch.device(table[name])
            child.to(device)  # raises
            self.devices[name] = device
        return self

    def forward(self, x):
        z = self.encoder(x.to(self.devices["encoder"]))
        return self.decoder(z.to(self.devices["decoder"]))


class Loop:
    def __init__(self, model, lr=1e-2):
        self.model = model
        self.optimizer = torch.optim.Adamax(model.parameters(), lr=lr)

    def epoch(self, data, batch):
        total = 0.0
        for xb in data.split(batch):
            out = self.model(xb)
            loss = nn.functional.mse_loss(out, xb.to(out.device))
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            total += loss.item() * len(xb)
        return total / len(data)


def main():
    torch.manual_seed(0)
    data = torch.randn(64, 3) @ torch.randn(3, 10)
    model = Autoencoder(10, PLACEMENT["latent"]).place(PLACEMENT)
    loop = Loop(model)
    for epoch in range(3):
        print(epoch, loop.epoch(data, 16))


if __name__ == "__main__":
    main()
