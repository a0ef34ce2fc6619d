# The hidden state is made where the input is.
# runs
import torch

lstm = torch.nn.LSTM(4, 6, num_layers=2, batch_first=True).cuda()
x = torch.randn(3, 5, 4, device="cuda")
state = tuple(torch.zeros(2, 3, 6, device=x.device) for _ in range(2))
output, (h, c) = lstm(x, state)
output.sum().backward()
assert h.is_cuda and lstm.weight_ih_l0.grad.device == x.device
