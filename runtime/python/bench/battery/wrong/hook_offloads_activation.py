# Keeps activations in host memory with a forward hook, and hands the host copy on to the next layer.
# raises: RuntimeError: Expected all tensors to be on the same device, but got mat1 is on cpu, different from other tensors on cuda:0 (when checking argument in method wrapper_CUDA_addmm)
import torch
from torch import nn


class ActivationStore:
    def __init__(self):
        self.kept = {}

    def watch(self, name, layer):
        def hook(module, inputs, output):
            host = output.detach().cpu()
            self.kept[name] = host
            return host
        layer.register_forward_hook(hook)


def main():
    torch.manual_seed(0)
    model = nn.Sequential(
        nn.Linear(12, 32),
        nn.ReLU(),
        nn.Linear(32, 5),
    ).to("cuda:0")
    store = ActivationStore()
    store.watch("hidden", model[0])

    x = torch.randn(16, 12, device="cuda:0")
    logits = model(x)  # raises
    print(logits.shape, store.kept["hidden"].shape)


main()
