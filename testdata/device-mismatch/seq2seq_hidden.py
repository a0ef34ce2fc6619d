# The decoder's first input token is made on the CPU.
import torch
import torch.nn as nn
import torch.nn.functional as F

SOS_token = 0
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class EncoderRNN(nn.Module):
    def __init__(self, input_size, hidden_size):
        super().__init__()
        self.hidden_size = hidden_size
        self.embedding = nn.Embedding(input_size, hidden_size)
        self.gru = nn.GRU(hidden_size, hidden_size)

    def forward(self, input, hidden):
        embedded = self.embedding(input).view(1, 1, -1)
        return self.gru(embedded, hidden)

    def initHidden(self):
        return torch.zeros(1, 1, self.hidden_size, device=device)


class DecoderRNN(nn.Module):
    def __init__(self, hidden_size, output_size):
        super().__init__()
        self.embedding = nn.Embedding(output_size, hidden_size)
        self.gru = nn.GRU(hidden_size, hidden_size)
        self.out = nn.Linear(hidden_size, output_size)

    def forward(self, input, hidden):
        output = F.relu(self.embedding(input).view(1, 1, -1))
        output, hidden = self.gru(output, hidden)
        return F.log_softmax(self.out(output[0]), dim=1), hidden


def train(input_tensor, target_tensor, encoder, decoder, criterion):
    hidden = encoder.initHidden()
    for ei in range(input_tensor.size(0)):
        _, hidden = encoder(input_tensor[ei], hidden)
    decoder_input = torch.tensor([[SOS_token]])
    loss = 0
    for di in range(target_tensor.size(0)):
        output, hidden = decoder(decoder_input, hidden)  # expect: device-mismatch
        loss += criterion(output, target_tensor[di])
        decoder_input = target_tensor[di]
    loss.backward()
    return loss.item() / target_tensor.size(0)


encoder = EncoderRNN(10, 8).to(device)
decoder = DecoderRNN(8, 10).to(device)
source = torch.randint(10, (4, 1)).to(device)
target = torch.randint(10, (3, 1)).to(device)
train(source, target, encoder, decoder, nn.NLLLoss())
