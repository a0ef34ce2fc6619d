# Indices count from 0.
import torch

for index in range(torch.cuda.device_count()):
    print(torch.cuda.get_device_name(index))
torch.cuda.set_device(torch.cuda.device_count() - 1)
print(torch.cuda.current_device())
