# The first of device_ids is cuda:1, and so is the model.
# runs
import torch

net = torch.nn.DataParallel(torch.nn.Linear(4, 3).to("cuda:1"), device_ids=[1, 0])
labels = torch.randint(3, (8,), device="cuda:1")
loss = torch.nn.functional.cross_entropy(net(torch.randn(8, 4)), labels)
loss.backward()
assert loss.get_device() == 1
