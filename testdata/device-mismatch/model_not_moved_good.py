# The trainer moves the model and each batch.
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Trainer:
    def __init__(self, model, loader, lr=0.01):
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.model = model.to(self.device)
        self.loader = loader
        self.loss_fn = nn.MSELoss()
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=lr)

    def step(self, x, y):
        x, y = x.to(self.device), y.to(self.device)
        prediction = self.model(x)
        loss = self.loss_fn(prediction, y)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()

    def fit(self, epochs):
        for epoch in range(epochs):
            total = 0.0
            for x, y in self.loader:
                total += self.step(x, y)
            print(f"epoch {epoch}: {total / len(self.loader):.4f}")


if __name__ == "__main__":
    dataset = TensorDataset(torch.randn(8, 5), torch.randn(8, 1))
    network = nn.Sequential(nn.Linear(5, 8), nn.ReLU(), nn.Linear(8, 1))
    Trainer(network, DataLoader(dataset, batch_size=4)).fit(2)
