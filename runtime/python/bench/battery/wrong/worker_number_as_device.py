# A sweep numbers its jobs from 0 to 3 and uses the number as the GPU's ordinal.
# raises: AcceleratorError: CUDA error: invalid device ordinal
import torch
from torch import nn


def run_job(number, lr):
    torch.cuda.set_device(number)  # raises
    torch.manual_seed(number)
    model = nn.Linear(5, 1).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    x = torch.randn(64, 5).cuda()
    y = x.sum(dim=1, keepdim=True)
    for _ in range(10):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
    return loss.item()


results = {}
for number, lr in enumerate([0.3, 0.1, 0.03, 0.01]):
    results[lr] = run_job(number, lr)
    print(number, lr, results[lr])
