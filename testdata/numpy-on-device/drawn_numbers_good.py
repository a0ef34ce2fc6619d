# NumPy draws with probabilities that were copied to the host.
import numpy as np
import torch

scores = torch.rand(4, device="cuda")
probabilities = torch.softmax(scores.double(), dim=0)
np.random.choice(4, p=probabilities.cpu().numpy())
