# Checkpoints saved from both GPUs are loaded with every kind of map_location.
# runs
import io
import os
import tempfile

import torch
from torch import nn


def where(state):
    return {k: str(v.device) for k, v in state.items()}


torch.manual_seed(17)
encoder = nn.Linear(4, 3).to("cuda:0")
decoder = nn.Linear(3, 4).to("cuda:1")
payload = {
    "encoder": encoder.state_dict(),
    "decoder": decoder.state_dict(),
    "history": torch.arange(5),
    "epoch": 3,
}
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "model.pt")
    torch.save(payload, path)

    same = torch.load(path)
    assert set(where(same["encoder"]).values()) == {"cuda:0"}
    assert set(where(same["decoder"]).values()) == {"cuda:1"}
    assert same["history"].device.type == "cpu" and same["epoch"] == 3

    host = torch.load(path, map_location="cpu")
    assert set(where(host["encoder"]).values()) | set(where(host["decoder"]).values()) == {"cpu"}
    assert torch.equal(host["decoder"]["weight"], decoder.weight.detach().cpu())

    second = torch.load(path, map_location=torch.device("cuda", 1))
    assert set(where(second["encoder"]).values()) == {"cuda:1"}
    assert second["history"].device == torch.device("cuda:1")

    swapped = torch.load(path, map_location={"cuda:0": "cuda:1", "cuda:1": "cuda:0"})
    assert swapped["encoder"]["bias"].get_device() == 1 and swapped["decoder"]["bias"].get_device() == 0
    assert swapped["history"].device.type == "cpu"

    kept = torch.load(path, map_location=lambda storage, location: storage)
    assert kept["decoder"]["bias"].device.type == "cpu"
    chosen = torch.load(path, map_location=lambda storage, loc: storage.cuda(0) if loc == "cuda:1" else None)
    assert chosen["decoder"]["weight"].get_device() == 0 and chosen["encoder"]["weight"].get_device() == 0

buffer = io.BytesIO()
shared = torch.arange(6.0, device="cuda:1")
torch.save([shared, shared[2:4]], buffer)
buffer.seek(0)
a, b = torch.load(buffer, map_location="cuda:0")
b.zero_()
assert a.tolist() == [0, 1, 0, 0, 4, 5] and a.device == b.device == torch.device("cuda:0")
