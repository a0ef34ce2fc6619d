# the model is converted to half and trained with a GradScaler that has to unscale for clipping
# raises: ValueError: Attempting to unscale FP16 gradients.
import torch
import torch.nn as nn

device = "cuda:0"
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 1)).to(device).half()
opt = torch.optim.SGD(model.parameters(), lr=0.01)
scaler = torch.amp.GradScaler("cuda", init_scale=128.0)


def train_step(x, y):
    opt.zero_grad()
    with torch.autocast("cuda", dtype=torch.float16):
        loss = (model(x).float() - y).pow(2).mean()
    scaler.scale(loss).backward()
    scaler.unscale_(opt)  # raises
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    scaler.step(opt)
    scaler.update()
    return loss.item()


for _ in range(3):
    x = torch.randn(16, 8, device=device)
    train_step(x, x.mean(1, keepdim=True))  # raises
