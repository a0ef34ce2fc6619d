# The results of tasks are brought to the host.
from concurrent.futures import ThreadPoolExecutor

import torch


def infer(net, batch, device):
    return net(batch.to(device))


devices = ["cuda:%d" % i for i in (0, 1)]
nets = [torch.nn.Linear(4, 2).to(device) for device in devices]
batch = torch.rand(8, 4)
with ThreadPoolExecutor(max_workers=2) as pool:
    tasks = [pool.submit(infer, net, batch, device) for net, device in zip(nets, devices)]
    parts = [task.result().cpu() for task in tasks]
print(torch.stack(parts).shape)


# Each thread selects the device before its first task.
last = torch.cuda.device_count() - 1
scorer = torch.nn.Linear(4, 2).cuda(last)


def score(x):
    return scorer(x.cuda()).cpu()


with ThreadPoolExecutor(2, initializer=torch.cuda.set_device, initargs=(last,)) as prepared:
    print(prepared.submit(score, torch.rand(8, 4)).result().sum())
