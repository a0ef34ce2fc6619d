# The inner model is saved; it loads into a bare and into a wrapped model.
# runs
import torch

wrapped = torch.nn.DataParallel(torch.nn.Linear(4, 2).cuda())
torch.save(wrapped.module.state_dict(), "net.pt")
bare = torch.nn.Linear(4, 2)
bare.load_state_dict(torch.load("net.pt", map_location="cpu"))
again = torch.nn.DataParallel(torch.nn.Linear(4, 2).cuda())
again.module.load_state_dict(torch.load("net.pt"))
assert torch.equal(bare.weight, again.module.weight.cpu())
