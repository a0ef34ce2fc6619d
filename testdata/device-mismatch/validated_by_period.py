# How often the network is validated, a configuration says.
import os

import torch
import yaml
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def train(config):
    loader = DataLoader(TensorDataset(torch.rand(4, 8), torch.zeros(4, dtype=torch.long)), batch_size=2)
    model = nn.Linear(8, 2).to("cuda")
    criterion = nn.CrossEntropyLoss()
    start = 0
    if config["resume"] is not None and os.path.isfile(config["resume"]):
        start = torch.load(config["resume"])["step"]
    step = start
    while step <= config["steps"]:
        for images, labels in loader:
            step += 1
            loss = criterion(model(images.to("cuda")), labels.to("cuda"))
            if (step + 1) % config["print_interval"] == 0:
                print(loss.item())
            if (step + 1) % config["val_interval"] == 0 or (step + 1) == config["steps"]:
                for images_val, labels_val in loader:
                    outputs = model(images_val.to("cuda"))
                    print(criterion(outputs, labels_val))  # expect: device-mismatch


train(yaml.safe_load("{resume: null, steps: 8, print_interval: 2, val_interval: 4}"))
