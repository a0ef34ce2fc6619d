# _replace() gives a new tuple, and leaves the old one as it was.
from collections import namedtuple

import torch

Batch = namedtuple("Batch", "images labels")

net = torch.nn.Linear(4, 2).cuda()
for batch in [Batch(torch.rand(8, 4), torch.zeros(8))]:
    batch._replace(images=batch.images.cuda())
    print(net(batch.images).shape)  # expect: device-mismatch
