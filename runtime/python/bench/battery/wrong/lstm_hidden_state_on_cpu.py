# init_hidden() makes the state where the model is not.
# raises: RuntimeError: Input and hidden tensors are not at the same device, found input tensor at cuda:0 and hidden tensor at cpu
import torch


class Tagger(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = torch.nn.LSTM(4, 6, batch_first=True)

    def init_hidden(self, n):
        return torch.zeros(1, n, 6), torch.zeros(1, n, 6)

    def forward(self, x):
        return self.lstm(x, self.init_hidden(x.size(0)))[0]  # raises


Tagger().cuda()(torch.randn(2, 5, 4).cuda())
