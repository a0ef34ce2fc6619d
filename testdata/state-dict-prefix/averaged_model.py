# The averaged model wraps a copy of the model: its keys have the prefix, too.
from pathlib import Path

import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel


class Runner:
    def __init__(self, folder="runs"):
        self.folder = Path(folder)
        self.folder.mkdir(exist_ok=True)
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

    def make(self):
        return nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 2)).to(self.device)

    def train(self):
        model = self.make()
        averaged = AveragedModel(model)
        averaged(torch.randn(2, 4).to(self.device))
        averaged.update_parameters(model)
        torch.save(averaged.state_dict(), self.folder / "final.pt")

    def test(self):
        model = self.make()
        model.load_state_dict(torch.load(self.folder / "final.pt"))  # expect: state-dict-prefix
        return model(torch.randn(2, 4).to(self.device))


runner = Runner()
runner.train()
runner.test()
