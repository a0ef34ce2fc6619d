# The model itself was turned to half precision and still trained with a gradient scaler.
# raises: ValueError: Attempting to unscale FP16 gradients.
import torch
from torch import nn


class Autoencoder(nn.Module):
    def __init__(self, dim=20, code=4):
        super().__init__()
        self.encode = nn.Linear(dim, code)
        self.decode = nn.Linear(code, dim)

    def forward(self, x):
        return self.decode(torch.relu(self.encode(x)))


def train(model, batches, lr=1e-3):
    optimizer = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9)
    scaler = torch.amp.GradScaler("cuda", init_scale=128.0)
    for x in batches:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x).float(), x.float())
        scaler.scale(loss).backward()
        scaler.step(optimizer)  # raises
        scaler.update()
    return loss.item()


model = Autoencoder().to("cuda:0").half()
batches = [torch.randn(8, 20, device="cuda:0").half() for _ in range(3)]
print(train(model, batches))
