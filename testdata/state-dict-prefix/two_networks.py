# Encoder and decoder are saved in one file; the encoder was wrapped.
import torch
from torch import nn


class Checkpointer:
    def __init__(self, path):
        self.path = path

    def save(self, encoder, decoder, epoch):
        torch.save({
            "epoch": epoch,
            "encoder": encoder.state_dict(),
            "decoder": decoder.state_dict(),
        }, self.path)

    def load(self, encoder, decoder):
        checkpoint = torch.load(self.path, map_location=torch.device("cpu"))
        decoder.load_state_dict(checkpoint["decoder"])
        encoder.load_state_dict(checkpoint["encoder"])  # expect: state-dict-prefix
        return checkpoint["epoch"]


checkpointer = Checkpointer("pair.pt")
encoder = nn.DataParallel(nn.Linear(4, 3)).cuda()
decoder = nn.Linear(3, 4).cuda()
checkpointer.save(encoder, decoder, 3)
checkpointer.load(nn.Linear(4, 3), nn.Linear(3, 4))
