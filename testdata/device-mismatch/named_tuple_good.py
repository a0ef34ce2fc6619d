# The tuple that _replace() gives is kept.
from typing import NamedTuple

import torch


class Batch(NamedTuple):
    images: torch.Tensor
    labels: torch.Tensor


net = torch.nn.Linear(4, 2).cuda()
for batch in [Batch(torch.rand(8, 4), torch.zeros(8))]:
    batch = batch._replace(images=batch.images.cuda())
    print(net(batch.images).shape, batch.labels.device)
