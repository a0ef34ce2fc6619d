# A thread for each GPU, with its own model.
# runs
import threading

import torch

results = {}


def work(i):
    torch.cuda.set_device(i)
    net = torch.nn.Linear(4, 2).cuda()
    results[i] = net(torch.randn(3, 4, device="cuda")).device.index


threads = [threading.Thread(target=work, args=(i,)) for i in range(2)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert results == {0: 0, 1: 1} and torch.cuda.current_device() == 0
