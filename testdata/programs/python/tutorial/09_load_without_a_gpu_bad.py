# A checkpoint of a GPU is loaded as it is where there is none.
# raises: RuntimeError: Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False. If you are running on a CPU-only machine, please use torch.load with map_location=torch.device('cpu') to map your storages to the CPU.
import os

import torch

if os.fork() == 0:  # the machine that trained
    torch.save(torch.nn.Linear(4, 3).cuda().state_dict(), "net.pkl")
    os._exit(0)
os.wait()
os.environ["CUDA_VISIBLE_DEVICES"] = ""
net = torch.nn.Linear(4, 3)
net.load_state_dict(torch.load("net.pkl"))  # expect: missing-map-location  # raises
