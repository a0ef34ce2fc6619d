# The results of tasks are where the tasks have computed them.
from concurrent.futures import ThreadPoolExecutor

import torch


def infer(net, batch, device):
    return net(batch.to(device))


devices = ["cuda:%d" % i for i in (0, 1)]
nets = [torch.nn.Linear(4, 2).to(device) for device in devices]
batch = torch.rand(8, 4)
with ThreadPoolExecutor(max_workers=2) as pool:
    tasks = [pool.submit(infer, net, batch, device) for net, device in zip(nets, devices)]
    parts = [task.result() for task in tasks]
print(torch.stack(parts).shape)  # expect: device-mismatch
