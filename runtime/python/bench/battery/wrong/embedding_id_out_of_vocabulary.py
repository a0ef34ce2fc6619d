# A special token id equals the vocabulary size, so the embedding lookup reads past its table on the GPU.
# raises: RuntimeError: device-side assert triggered
import torch
import torch.nn as nn


class Vocabulary:
    def __init__(self, words):
        self.index = {w: i for i, w in enumerate(words)}
        self.eos = len(self.index)

    def __len__(self):
        return len(self.index)

    def encode(self, sentence, length):
        ids = [self.index[w] for w in sentence.split() if w in self.index]
        ids = ids[: length - 1] + [self.eos]
        return ids + [0] * (length - len(ids))


class BagOfEmbeddings(nn.Module):
    def __init__(self, vocab_size, width=12):
        super().__init__()
        self.embed = nn.Embedding(vocab_size, width)
        self.score = nn.Linear(width, 1)

    def forward(self, ids):
        return self.score(self.embed(ids).mean(1)).squeeze(-1)


def collate(vocab, rows, length, device):
    ids = torch.tensor([vocab.encode(text, length) for text, _ in rows])
    target = torch.tensor([float(label) for _, label in rows])
    return ids.to(device), target.to(device)


def evaluate(model, ids, target):
    model.eval()
    with torch.no_grad():
        return nn.functional.binary_cross_entropy_with_logits(model(ids), target).item()  # raises


def main():
    torch.manual_seed(0)
    rows = [
        ("the film was great", 1),
        ("the film was dull", 0),
        ("great acting and great music", 1),
        ("dull plot", 0),
    ]
    words = sorted({w for text, _ in rows for w in text.split()})
    vocab = Vocabulary(words)
    device = torch.device("cuda:0")
    model = BagOfEmbeddings(len(vocab)).to(device)
    ids, target = collate(vocab, rows, 6, device)
    print("batch", tuple(ids.shape), "vocab", len(vocab))
    print("untrained loss", evaluate(model, ids, target))


if __name__ == "__main__":
    main()
