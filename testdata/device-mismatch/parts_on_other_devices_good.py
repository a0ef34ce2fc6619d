# Each part of the batch is where its replica is.
import torch
from torch import nn
from torch.nn.parallel import gather, parallel_apply, replicate, scatter


def forward_everywhere(network, batch, devices):
    parts = scatter(batch, devices)
    replicas = replicate(network, devices)
    outputs = parallel_apply(replicas, [(part,) for part in parts])
    return gather(outputs, devices[0])


devices = [1, 0]
network = nn.Linear(4, 2).to(torch.device("cuda", devices[0]))
forward_everywhere(network, torch.rand(8, 4), devices)
