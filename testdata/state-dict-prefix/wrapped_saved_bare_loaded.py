# The wrapper's state is saved, and loaded into a bare model.
import torch
import torch.nn as nn


class FooNet(nn.Module):
    def __init__(self, neural_num, layers=3):
        super(FooNet, self).__init__()
        self.linears = nn.ModuleList([nn.Linear(neural_num, neural_num, bias=False) for i in range(layers)])

    def forward(self, x):
        for i, linear in enumerate(self.linears):
            x = torch.relu(linear(x))
        return x


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = FooNet(neural_num=3)
net = nn.DataParallel(net)
net.to(device)
torch.save(net.state_dict(), "./model_in_multi_gpu.pkl")

state_dict_load = torch.load("./model_in_multi_gpu.pkl", map_location="cpu")
net_load = FooNet(neural_num=3)
net_load.load_state_dict(state_dict_load)  # expect: state-dict-prefix
