# The mask of the library is moved to the network.
import torch
from torch import nn

layer = nn.TransformerEncoderLayer(d_model=8, nhead=2)
encoder = nn.TransformerEncoder(layer, num_layers=1).cuda()
x = torch.rand(5, 3, 8, device="cuda")
mask = nn.Transformer.generate_square_subsequent_mask(5).to(x.device)
encoder(x, mask)
