# Saved on a GPU, loaded where there is none.
# runs
import os

import torch

if os.fork() == 0:  # the machine that trained
    torch.save(torch.nn.Linear(4, 2).cuda().state_dict(), "gpu.pt")
    os._exit(0)
os.wait()
os.environ["CUDA_VISIBLE_DEVICES"] = ""
net = torch.nn.Linear(4, 2)
net.load_state_dict(torch.load("gpu.pt", map_location="cpu"))
assert not torch.cuda.is_available()
