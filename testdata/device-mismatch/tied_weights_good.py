# The decoder has the encoder's weight, and a bias of its own: both are moved.
import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    def __init__(self, words, width, is_tied=True):
        super().__init__()
        self.encoder = nn.Embedding(words, width)
        self.decoder = nn.Linear(width, words)
        if is_tied:
            self.decoder.weight = self.encoder.weight
        self.decoder.bias.data.fill_(0)

    def forward(self, words):
        return self.encoder(words).mean(1)


model = Model(16, 8).cuda()
words = torch.randint(16, (4, 3)).cuda()
scores = F.linear(model(words), model.decoder.weight) + model.decoder.bias
print(F.cross_entropy(scores, words[:, 0]).item())
