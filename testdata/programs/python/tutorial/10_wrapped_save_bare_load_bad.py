# The wrapper's state is saved, a bare model loads it.
# raises: RuntimeError: Error(s) in loading state_dict for FooNet: ... Missing key(s) in state_dict: "linears.0.weight", "linears.1.weight", "linears.2.weight". ... Unexpected key(s) in state_dict: "module.linears.0.weight", "module.linears.1.weight", "module.linears.2.weight".
import torch


class FooNet(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linears = torch.nn.ModuleList(torch.nn.Linear(4, 4, bias=False) for _ in range(3))


net = torch.nn.DataParallel(FooNet()).to("cuda")
torch.save(net.state_dict(), "net.pkl")
net_load = FooNet()
net_load.load_state_dict(torch.load("net.pkl", map_location="cpu"))  # expect: state-dict-prefix  # raises
