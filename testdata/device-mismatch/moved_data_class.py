# A batch is a data class: of what it holds, one field is moved.
import dataclasses

import torch
from torch import nn


@dataclasses.dataclass
class Batch:
    images: torch.Tensor
    labels: torch.Tensor


net = nn.Linear(4, 4).cuda()
batch = Batch(torch.rand(2, 4), torch.zeros(2, dtype=torch.long))
batch = dataclasses.replace(batch, images=batch.images.cuda())
print(nn.functional.cross_entropy(net(batch.images), batch.labels))  # expect: device-mismatch
