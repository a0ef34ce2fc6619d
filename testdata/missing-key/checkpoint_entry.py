# The checkpoint is read by another name than that under which it was written.
import torch
from torch import nn


def save(encoder, decoder, path):
    torch.save({"encoder": encoder.state_dict(), "decoder": decoder.state_dict(), "step": 3}, path)


def restore(path, device):
    checkpoint = torch.load(path, map_location=device)
    encoder, decoder = nn.Linear(4, 4).to(device), nn.Linear(4, 2).to(device)
    encoder.load_state_dict(checkpoint["encoder"])
    decoder.load_state_dict(checkpoint["decoder_state_dict"])  # expect: missing-key
    return encoder, decoder


save(nn.Linear(4, 4), nn.Linear(4, 2), "both.pt")
restore("both.pt", torch.device("cuda"))
