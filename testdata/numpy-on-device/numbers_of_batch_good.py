# A batch is moved whole, with the numbers and names that it has.
import argparse

import numpy as np
import torch


def to_device(value, device):
    if torch.is_tensor(value):
        return value.to(device)
    if isinstance(value, (list, tuple)):
        return [to_device(each, device) for each in value]
    if isinstance(value, dict):
        return {key: to_device(each, device) for key, each in value.items()}
    return value


parser = argparse.ArgumentParser()
parser.add_argument("files", nargs="*", default=["a", "bc"])
args = parser.parse_args()
batch = {
    "x": torch.ones(len(args.files), 2),
    "meta": [{"name": "file %s" % file, "size": len(file)} for file in args.files],
}
moved = to_device(batch, torch.device("cuda:0"))
print(moved["x"].sum().item(), np.mean([each["size"] for each in moved["meta"]]))
