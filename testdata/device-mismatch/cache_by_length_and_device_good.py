# Masks are kept under a key of two parts, one of which is the device.
import torch


class Masks:
    def __init__(self):
        self.store = {}

    def __getitem__(self, key):
        if key not in self.store:
            length, device = key
            self.store[key] = torch.ones(length, length, device=device).triu(1)
        return self.store[key]


MASKS = Masks()


def attend(scores):
    rows, columns = scores.shape
    return scores + MASKS[columns, scores.device]


scores = torch.rand(5, 5)
for _ in range(2):
    attend(scores.cuda())
print(attend(scores).sum())
