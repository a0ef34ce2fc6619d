# The examples are a list, and the mask of a batch is not moved with the rest.
import torch
import torch.nn as nn
from torch.utils.data import DataLoader


def collate(rows):
    words = torch.zeros(len(rows), 4, dtype=torch.long)
    for i, (row, _) in enumerate(rows):
        words[i, : len(row)] = row
    return words, torch.tensor([label for _, label in rows]), words.eq(0)


examples = []
for i in range(12):
    examples.append((torch.randint(1, 50, (3,)), i % 2))

embedding = nn.Embedding(50, 8).cuda()
for batch in DataLoader(examples, batch_size=4, collate_fn=collate):
    words, labels, padding = batch
    words, labels = words.cuda(), labels.cuda()
    scores = embedding(words).sum(-1)
    scores = scores.masked_fill(padding, 0)  # expect: device-mismatch
    print(scores.mean().item(), labels)
