# Forward, backward and tensor hooks watch a model on the second GPU and change its gradients.
# runs
import torch
from torch import nn


class Watcher:
    def __init__(self, model):
        self.forward, self.backward, self.handles = {}, {}, []
        for name, layer in model.named_children():
            self.handles.append(layer.register_forward_hook(self.on_forward(name)))
            self.handles.append(layer.register_full_backward_hook(self.on_backward(name)))

    def on_forward(self, name):
        def hook(layer, inputs, output):
            self.forward[name] = output.detach()
        return hook

    def on_backward(self, name):
        def hook(layer, grad_input, grad_output):
            self.backward[name] = grad_output[0]
        return hook

    def close(self):
        for handle in self.handles:
            handle.remove()


torch.manual_seed(27)
model = nn.Sequential(nn.Linear(4, 6), nn.Sigmoid(), nn.Linear(6, 2)).to("cuda:1")
model.register_forward_pre_hook(lambda m, args: (args[0].to("cuda:1"),))
watcher = Watcher(model)
x = torch.randn(5, 4)
out = model(x)
out.square().sum().backward()
assert out.device == torch.device("cuda:1")
assert torch.equal(watcher.forward["2"], out.detach())
assert torch.allclose(watcher.backward["2"], 2 * out.detach(), atol=1e-5)
s = watcher.forward["1"]
expected = (2 * out.detach() @ model[2].weight.detach())
assert torch.allclose(watcher.backward["1"], expected, atol=1e-5)
assert torch.allclose(watcher.backward["0"], expected * s * (1 - s), atol=1e-5)
watcher.close()
watcher.forward.clear()

plain = model[0].weight.grad.clone()
model.zero_grad()
model[0].weight.register_hook(lambda g: g.clamp(-0.1, 0.1) * 2)
counted = []
model[0].weight.register_post_accumulate_grad_hook(lambda p: counted.append(p.grad.device))
hidden = model[0](x.to("cuda:1"))
hidden.retain_grad()
model[2](model[1](hidden)).square().sum().backward()
assert not watcher.forward and counted == [torch.device("cuda:1")]
assert torch.allclose(model[0].weight.grad, plain.clamp(-0.1, 0.1) * 2, atol=1e-5)
assert hidden.grad.shape == (5, 6) and hidden.grad.get_device() == 1
with torch.autograd.graph.save_on_cpu(pin_memory=True):
    leaf = hidden.detach().requires_grad_()
    y = (leaf ** 2).sum()
y.backward()
assert leaf.grad.device == torch.device("cuda:1") and torch.equal(leaf.grad, 2 * leaf.detach())
