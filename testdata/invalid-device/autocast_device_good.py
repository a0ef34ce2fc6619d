# autocast is given the type of the device.
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = torch.nn.Linear(4, 2).to(device)
with torch.autocast(device_type=device.type, dtype=torch.float16):
    net(torch.rand(3, 4, device=device))
with torch.autocast("cuda"):
    net(torch.rand(3, 4, device=device))
