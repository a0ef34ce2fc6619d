# Each generator draws for tensors of its own kind of device, and what it draws is moved.
import torch

device = torch.device("cuda:1" if torch.cuda.is_available() else "cpu")
on_host = torch.Generator().manual_seed(0)
on_device = torch.Generator(device=device).manual_seed(0)
noise = torch.randn(4, 8, generator=on_host).to(device)
noise = noise + torch.randn(4, 8, device=device, generator=on_device)
noise = noise + torch.rand(4, 8, device=on_device.device, generator=on_device)
# Of another device of the same kind.
other = torch.randn(4, 8, device="cuda:0", generator=on_device)
order = torch.randperm(8, generator=on_host)
order = torch.randperm(8, generator=torch.default_generator).to(device)
noise.normal_(generator=on_device)
torch.cuda.manual_seed_all(0)
mask = torch.empty(4, 8).bernoulli_(0.5, generator=torch.manual_seed(1))
