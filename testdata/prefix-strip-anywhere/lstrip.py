# lstrip() takes off characters, not a prefix: "embed" loses its "e" and "m".
import torch


class Tagger(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = torch.nn.Embedding(5, 3)
        self.out = torch.nn.Linear(3, 2)


wrapped = torch.nn.DataParallel(Tagger().to("cuda"))
state = {}
for key, value in wrapped.state_dict().items():
    state[key.lstrip("module.")] = value  # expect: prefix-strip-anywhere
Tagger().load_state_dict(state)
