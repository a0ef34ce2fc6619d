# Each thread has a GPU, a model and an input of its own.
# runs
import threading

import torch

devices = {}


def infer(i):
    torch.cuda.set_device(i)
    net = torch.nn.Linear(4, 2).cuda().eval()
    with torch.no_grad():
        devices[i] = net(torch.randn(3, 4).cuda()).get_device()


threads = [threading.Thread(target=infer, args=(i,)) for i in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert devices == {0: 0, 1: 1, 2: 2, 3: 3}
