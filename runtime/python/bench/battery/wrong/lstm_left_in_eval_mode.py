# Validation switches the model to eval and the next epoch never switches back; cuDNN cannot run the LSTM backward then.
# raises: RuntimeError: cudnn RNN backward can only be called in training mode
import copy

import torch
import torch.nn as nn


class EnergyForecaster(nn.Module):
    def __init__(self, features=3, hidden=16, horizon=2):
        super().__init__()
        self.rnn = nn.LSTM(features, hidden, num_layers=2, dropout=0.1, batch_first=True)
        self.head = nn.Linear(hidden, horizon)

    def forward(self, x):
        states, _ = self.rnn(x)
        return self.head(states[:, -1])


class EarlyStopping:
    def __init__(self, patience):
        self.patience = patience
        self.best = float("inf")
        self.bad = 0
        self.weights = None

    def update(self, value, model):
        if value < self.best:
            self.best, self.bad = value, 0
            self.weights = copy.deepcopy(model.state_dict())
        else:
            self.bad += 1
        return self.bad > self.patience


def make_split(n, seed):
    g = torch.Generator().manual_seed(seed)
    x = torch.randn(n, 10, 3, generator=g).cumsum(1)
    y = torch.stack([x[:, -1, 0], x[:, -1, 1] - x[:, -2, 1]], dim=-1)
    return x.cuda(), y.cuda()


def backward_and_step(loss, optimizer):
    optimizer.zero_grad()
    loss.backward()  # raises
    optimizer.step()


@torch.no_grad()
def validate(model, x, y):
    model.eval()
    return nn.functional.l1_loss(model(x), y).item()


def main():
    torch.manual_seed(0)
    x_train, y_train = make_split(64, 0)
    x_val, y_val = make_split(32, 1)
    model = EnergyForecaster().cuda()
    model.train()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.5)
    stopper = EarlyStopping(patience=3)
    for epoch in range(4):
        for xb, yb in zip(x_train.split(16), y_train.split(16)):
            backward_and_step(nn.functional.mse_loss(model(xb), yb), optimizer)
        scheduler.step()
        score = validate(model, x_val, y_val)
        print(f"epoch {epoch} val mae {score:.3f}")
        if stopper.update(score, model):
            break
    model.load_state_dict(stopper.weights)


if __name__ == "__main__":
    main()
