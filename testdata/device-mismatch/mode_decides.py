# In training the network returns two outputs, in evaluation one, as its mode says.
import torch
import torch.nn as nn
import torch.nn.functional as F


class Trunk(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 8)
        self.side = nn.Linear(8, 2)

    def forward(self, x):
        features = F.relu(self.layer(x))
        if self.training:
            return features, self.side(features)
        return features


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = Trunk()
        self.head = nn.Linear(8, 2)

    def forward(self, x):
        if self.training:
            features, side = self.trunk(x)
            return self.head(features), side
        return self.head(self.trunk(x))


def train_step(model, x, target, optimizer):
    model.train()
    output, side = model(x)
    loss = F.cross_entropy(output, target) + 0.3 * F.cross_entropy(side, target)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


@torch.no_grad()
def evaluate(model, x, target):
    model.eval()
    output = model(x.cuda())
    return F.cross_entropy(output, target).item()  # expect: device-mismatch


model = nn.DataParallel(Classifier()).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x, target = torch.randn(16, 8), torch.randint(0, 2, (16,))
for epoch in range(2):
    train_step(model, x.cuda(), target.cuda(), optimizer)
print(evaluate(model, x, target))
