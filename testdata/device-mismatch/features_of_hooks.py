# Forward hooks keep the features on the CPU, where those of the output are on the GPU.
import torch
from torch import nn


class Recorder:
    def __init__(self, model, names):
        self.features = {}
        modules = dict(model.named_modules())
        self.handles = [modules[name].register_forward_hook(self.hook_of(name)) for name in names]

    def hook_of(self, name):
        def hook(module, inputs, output):
            self.features[name] = output.detach().cpu()

        return hook

    def close(self):
        for handle in self.handles:
            handle.remove()


net = nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 4)).cuda()
recorder = Recorder(net, ["0", "1"])
output = net(torch.rand(3, 4).cuda())
recorder.close()
print(torch.cat([recorder.features["0"], output]))  # expect: device-mismatch
