# `.module` is missing where the model is saved.
# raises: RuntimeError: Error(s) in loading state_dict for Linear: ... Missing key(s) in state_dict: "weight", "bias". ... Unexpected key(s) in state_dict: "module.weight", "module.bias".
import torch

torch.save(torch.nn.DataParallel(torch.nn.Linear(4, 2).cuda()).state_dict(), "multi.pkl")
torch.nn.Linear(4, 2).load_state_dict(torch.load("multi.pkl", map_location="cpu"))  # expect: state-dict-prefix  # raises
