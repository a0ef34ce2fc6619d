# Each entry of a batch is moved under its own key.
import torch
import torch.nn as nn
from torch.utils.data import DataLoader


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear(3, 2)
        self.loss = nn.CrossEntropyLoss()

    def forward(self, inputs, labels=None):
        logits = self.out(inputs)
        return self.loss(logits, labels) if labels is not None else None


def collate(rows):
    return {"inputs": torch.stack([row[0] for row in rows]), "labels": torch.tensor([row[1] for row in rows])}


def main():
    model = Classifier().to("cuda")
    rows = [(torch.rand(3), 1) for _ in range(8)]
    for epoch in range(2):
        for step, batch in enumerate(DataLoader(rows, batch_size=4, collate_fn=collate)):
            for key, value in batch.items():
                batch[key] = value.to("cuda")
            loss = model(**batch)
            if step % 10 == 0:
                print(epoch, step, loss.item())


main()
