# replace() also eats inner occurrences of "module.".
# raises: RuntimeError: Missing key(s) in state_dict: "submodule.weight", "submodule.bias". ... Unexpected key(s) in state_dict: "subweight", "subbias".
import torch

net = torch.nn.Module()
net.add_module("submodule", torch.nn.Linear(4, 2))
state = torch.nn.DataParallel(net.cuda()).state_dict()
state = {k.replace("module.", ""): v for k, v in state.items()}  # expect: prefix-strip-anywhere
net.load_state_dict(state)  # raises
