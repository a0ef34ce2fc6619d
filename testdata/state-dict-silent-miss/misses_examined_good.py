# The program asks what the load has missed, and loads the keys without the prefix then.
import torch
import torch.nn as nn

model = nn.DataParallel(nn.Linear(6, 2)).cuda()
torch.save(model.state_dict(), "wrapped.pth")

saved = torch.load("wrapped.pth", map_location="cpu")
net = nn.Linear(6, 2)
missing, unexpected = net.load_state_dict(saved, strict=False)
if unexpected:
    net.load_state_dict({key[len("module."):]: value for key, value in saved.items()})
print(net(torch.randn(4, 6)).sum().item())
