# Ways from the GPU to numpy, and numpy over tensors of the CPU.
import numpy as np
import torch

net = torch.nn.Linear(3, 2).cuda()
out = net(torch.from_numpy(np.ones((4, 3), dtype=np.float32)).cuda())
a = out.detach().cpu().numpy()
b = out.data.to("cpu").numpy()
c = np.asarray(out.tolist())
d = np.array([row.sum().item() for row in out])
e = torch.randn(3).numpy() + np.asarray(torch.ones(3))
f = out.detach() if not out.is_cuda else out.detach().cpu()
print(a.shape, b.shape, c.shape, d.shape, e.shape, f.numpy().shape, np.array(out.shape), len(out))
