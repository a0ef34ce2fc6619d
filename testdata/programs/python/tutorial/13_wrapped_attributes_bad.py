# A member of the inner model is looked for on the wrapper.
# raises: AttributeError: 'DataParallel' object has no attribute 'in_features'
import torch

net = torch.nn.DataParallel(torch.nn.Linear(4, 2)).cuda()
print(net.in_features)  # expect-miss: data-parallel-attribute  # raises
