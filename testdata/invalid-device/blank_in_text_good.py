# No blank is in the text.
import torch

for i in range(2):
    x = torch.zeros(2, device="cuda:" + str(i))
