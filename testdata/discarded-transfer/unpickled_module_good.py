# What comes back from elsewhere is a module, which cuda() moves in place.
import pickle

import torch


def save(network, path):
    torch.save(network.cpu().state_dict(), path)
    network.cuda()


model = pickle.loads(pickle.dumps(torch.nn.Linear(4, 3)))
model = model.to("cuda")
save(model, "net.pt")
print(model(torch.randn(2, 4, device="cuda")).sum())
