# removeprefix() takes off the prefix.
import torch


class Tagger(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = torch.nn.Embedding(5, 3)
        self.out = torch.nn.Linear(3, 2)


wrapped = torch.nn.DataParallel(Tagger().to("cuda"))
state = {}
for key, value in wrapped.state_dict().items():
    state[key.removeprefix("module.")] = value
Tagger().load_state_dict(state)
