# Saved from DataParallel, loaded into the model itself.
# raises: RuntimeError: Error(s) in loading state_dict for Linear: ... Missing key(s) in state_dict: "weight", "bias". ... Unexpected key(s) in state_dict: "module.weight", "module.bias".
import torch

trained = torch.nn.DataParallel(torch.nn.Linear(4, 2).cuda())
torch.save(trained.state_dict(), "wrapped.pt")
net = torch.nn.Linear(4, 2).cuda()
net.load_state_dict(torch.load("wrapped.pt"))  # raises
