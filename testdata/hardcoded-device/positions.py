# Positions are numbered on the CPU, and added to embeddings on the GPU.
import torch
import torch.nn as nn
import torch.nn.functional as F


class GPT(nn.Module):
    def __init__(self, vocab=20, block=8, n_embd=8):
        super().__init__()
        self.transformer = nn.ModuleDict(dict(
            wte=nn.Embedding(vocab, n_embd),
            wpe=nn.Embedding(block, n_embd),
            drop=nn.Dropout(0.1),
            ln_f=nn.LayerNorm(n_embd),
        ))
        self.lm_head = nn.Linear(n_embd, vocab, bias=False)

    def forward(self, idx, targets=None):
        b, t = idx.size()
        pos = torch.arange(0, t, dtype=torch.long).unsqueeze(0)
        tok_emb = self.transformer.wte(idx)
        pos_emb = self.transformer.wpe(pos)  # expect: hardcoded-device
        x = self.transformer.ln_f(self.transformer.drop(tok_emb + pos_emb))
        logits = self.lm_head(x)
        loss = None
        if targets is not None:
            loss = F.cross_entropy(logits.view(-1, logits.size(-1)), targets.view(-1), ignore_index=-1)
        return logits, loss


def main():
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = GPT()
    model.to(device)
    x = torch.randint(20, (2, 6))
    x, y = x[:, :-1].to(device), x[:, 1:].to(device)
    logits, loss = model(x, y)
    loss.backward()


if __name__ == "__main__":
    main()
