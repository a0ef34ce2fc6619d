# A checkpoint of a GPU is mapped to the CPU.
# runs
import os

import torch

if os.fork() == 0:  # the machine that trained
    torch.save(torch.nn.Linear(4, 3).cuda().state_dict(), "net.pkl")
    os._exit(0)
os.wait()
os.environ["CUDA_VISIBLE_DEVICES"] = ""
net = torch.nn.Linear(4, 3)
net.load_state_dict(torch.load("net.pkl", map_location="cpu"))
assert net(torch.randn(2, 4)).size() == (2, 3)
