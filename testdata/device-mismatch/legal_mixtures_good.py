# Mixtures of devices that PyTorch allows.
import torch

device = torch.device("cuda")
x = torch.randn(4, 3, device=device)
scale = torch.tensor(0.5)  # without dimensions
x = x * scale + torch.tensor(1.0)
rows = torch.tensor([0, 2])
picked = x[rows]  # indices may be on the CPU
x[1:3] = torch.zeros(2, 3)  # an assignment copies
x.copy_(torch.ones(4, 3))
x[x > 2] = torch.tensor(0.0)
marks = torch.zeros(4)
marks[rows.to(device)] = 1  # what is written moves its indices
best = torch.tensor(float("inf"))
loss = picked.pow(2).mean()
if loss < best:
    best = loss.item()
total = 0.0
for row in x:
    total += row.sum().item()
like = torch.zeros_like(x) + x.new_ones(3) + torch.empty(4, 3).to(x) + torch.zeros(3).type_as(x)
assert like.is_cuda
lengths = torch.tensor([3, 2, 2, 1])
packed = torch.nn.utils.rnn.pack_padded_sequence(x.unsqueeze(2), lengths, batch_first=True)
assert packed.data.is_cuda and torch.cuda.FloatTensor(2).is_cuda
