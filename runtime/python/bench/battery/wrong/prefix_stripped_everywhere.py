# replace("module.", "") also eats the end of "submodule.".
# raises: RuntimeError: Missing key(s) in state_dict: "submodule.weight", "submodule.bias". ... Unexpected key(s) in state_dict: "subweight", "subbias".
import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.submodule = torch.nn.Linear(4, 2)


state = torch.nn.DataParallel(Net().cuda()).state_dict()
state = {key.replace("module.", ""): value for key, value in state.items()}
Net().load_state_dict(state)  # raises
