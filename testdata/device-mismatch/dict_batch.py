# A batch is a dict; its mask is left out of the transfer.
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Sentences(Dataset):
    def __len__(self):
        return 6

    def __getitem__(self, i):
        return {
            "input_ids": torch.randint(0, 20, (5,)),
            "attention_mask": torch.ones(5),
            "label": torch.tensor(i % 2),
        }


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(20, 8)
        self.head = nn.Linear(8, 2)

    def forward(self, input_ids, attention_mask):
        hidden = self.embedding(input_ids)
        pooled = (hidden * attention_mask.unsqueeze(-1)).mean(dim=1)
        return self.head(pooled)


def main():
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = Classifier().to(device)
    criterion = nn.CrossEntropyLoss()
    for batch in DataLoader(Sentences(), batch_size=3):
        input_ids = batch["input_ids"].to(device)
        attention_mask = batch["attention_mask"]
        label = batch["label"].to(device)
        loss = criterion(model(input_ids, attention_mask), label)  # expect: device-mismatch
        loss.backward()


if __name__ == "__main__":
    main()
