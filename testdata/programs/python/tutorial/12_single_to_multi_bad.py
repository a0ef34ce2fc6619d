# A bare checkpoint is loaded into the wrapper.
# raises: RuntimeError: Error(s) in loading state_dict for DataParallel: ... Missing key(s) in state_dict: "module.weight", "module.bias". ... Unexpected key(s) in state_dict: "weight", "bias".
import torch

torch.save(torch.nn.Linear(4, 2).cuda().state_dict(), "single.pkl")
net = torch.nn.DataParallel(torch.nn.Linear(4, 2).cuda())
net.load_state_dict(torch.load("single.pkl"))  # expect: state-dict-prefix  # raises
