# How many devices there are is no index of one of them.
import torch


def last():
    count = torch.cuda.device_count()
    torch.cuda.set_device(count)  # expect: invalid-device
    return torch.cuda.current_device()


print(last())
