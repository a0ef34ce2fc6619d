# Every way in which a number of the CPU and one of the GPU may meet.
import torch

device = torch.device("cuda")
loss = torch.rand((), device=device)
on_device = torch.zeros((), device=device)
on_device += loss
on_device += torch.tensor(0.5)
on_device.mul_(torch.tensor(2.0))
host = torch.zeros(())
host += loss.cpu()
host += loss.item()
host.copy_(loss)
host.fill_(loss)
host.masked_fill_(torch.tensor(True), loss)
host = host + loss
host += loss
running = 0.0
running += loss
running += loss
probability = torch.zeros(3).bernoulli_(torch.tensor(0.5, device=device))
torch.add(loss, torch.tensor(1.0), out=on_device)
