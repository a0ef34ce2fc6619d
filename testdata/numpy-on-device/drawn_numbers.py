# NumPy draws with probabilities that are on the GPU.
import numpy as np
import torch

scores = torch.rand(4, device="cuda")
probabilities = torch.softmax(scores.double(), dim=0)
np.random.choice(4, p=probabilities)  # expect: numpy-on-device
