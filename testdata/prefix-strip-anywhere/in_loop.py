# replace() also changes the names inside.
import torch


def convert(path):
    checkpoint = torch.load(path, map_location="cpu")
    state_dict = checkpoint["model"]
    for key in list(state_dict.keys()):
        if key.startswith("module."):
            state_dict[key.replace("module.", "")] = state_dict.pop(key)  # expect: prefix-strip-anywhere
    return state_dict


net = torch.nn.Module()
net.add_module("image_module", torch.nn.Linear(2, 2))
torch.save({"model": torch.nn.DataParallel(net.cuda()).state_dict()}, "model.pt")
net.load_state_dict(convert("model.pt"))
