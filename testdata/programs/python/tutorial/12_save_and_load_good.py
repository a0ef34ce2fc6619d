# Single and multiple GPUs on each side, and a checkpoint with two models.
# runs
import torch


def single():
    return torch.nn.Linear(4, 2).cuda()


def multi():
    return torch.nn.DataParallel(single(), device_ids=[0, 1])


# One to one, and one to several: load, then wrap.
torch.save(single().state_dict(), "single.pkl")
net = single()
net.load_state_dict(torch.load("single.pkl"))
torch.nn.DataParallel(net)(torch.randn(4, 4).cuda())

# Several to one: the inner model is saved.
torch.save(multi().module.state_dict(), "inner.pkl")
single().load_state_dict(torch.load("inner.pkl"))

# Several to several: wrap, then load.
torch.save(multi().state_dict(), "multi.pkl")
multi().load_state_dict(torch.load("multi.pkl"))

encoder, decoder = multi(), multi()
torch.save({"encoder": encoder.module.state_dict(), "decoder": decoder.module.state_dict()},
           "checkpoint.pkl")
checkpoint = torch.load("checkpoint.pkl", map_location="cuda:1")
for part in ("encoder", "decoder"):
    assert checkpoint[part]["weight"].get_device() == 1
    single().load_state_dict(checkpoint[part])
