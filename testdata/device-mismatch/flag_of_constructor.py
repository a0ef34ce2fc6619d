# The flag is asked the wrong way round.
import torch


class Bank:
    def __init__(self, features, device, limit):
        self.on_gpu = features.numel() <= limit and torch.device(device).type == "cuda"
        self.device = torch.device(device)
        self.features = features.to(device) if self.on_gpu else features.cpu()

    def chunks(self, size):
        for chunk in self.features.split(size):
            if not self.on_gpu:
                yield chunk
            else:
                yield chunk.to(self.device)

    def similarity(self, query):
        return [query @ chunk.T for chunk in self.chunks(5)]  # expect: device-mismatch


query = torch.rand(3, 4).cuda()
for limit in (1000, 1):
    bank = Bank(torch.rand(20, 4), "cuda:0", limit)
    bank.similarity(query)
