# autocast takes the type of a device, and is given the device.
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = torch.nn.Linear(4, 2).to(device)
with torch.autocast(device_type=device, dtype=torch.float16):  # expect: invalid-device
    net(torch.rand(3, 4, device=device))
