# A range that counts from one ends behind the last device.
import torch

for index in range(1, torch.cuda.device_count() + 1):
    print(torch.cuda.get_device_properties(index).name)  # expect: invalid-device
