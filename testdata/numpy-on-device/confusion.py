# A list of tensors of the GPU is given to numpy after it is joined.
import numpy as np
import torch

if torch.cuda.is_available():
    net = torch.nn.Linear(3, 2).cuda()
    outputs = []
    for _ in range(3):
        outputs.append(net(torch.randn(4, 3).cuda()))
    scores = torch.cat(outputs, dim=0).sigmoid().detach().numpy()  # expect: numpy-on-device
    print(np.histogram(scores, bins=2))
