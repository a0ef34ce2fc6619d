# A batch of named tuples, tables and arrays is moved by one function.
import collections
import collections.abc

import numpy as np
import torch
import torch.nn as nn

Sample = collections.namedtuple("Sample", ["text", "label"])


def send(batch, device):
    if torch.is_tensor(batch):
        return batch.to(device)
    if isinstance(batch, np.ndarray):
        return torch.from_numpy(batch).to(device)
    if isinstance(batch, (str, bytes, int, float)) or batch is None:
        return batch
    if isinstance(batch, tuple) and hasattr(batch, "_fields"):
        return type(batch)(*(send(each, device) for each in batch))
    if isinstance(batch, collections.abc.Mapping):
        return {key: send(each, device) for key, each in batch.items()}
    return type(batch)([send(each, device) for each in batch])


device = torch.device("cuda")
model = nn.Linear(4, 2).to(device)
for step in range(3):
    sample = Sample({"tokens": torch.randn(3, 4), "names": ["a", "b"]}, torch.randint(0, 2, (3,)))
    sample = send(sample, device)
    print(nn.functional.cross_entropy(model(sample.text["tokens"]), sample.label).item())
