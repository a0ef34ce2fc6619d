# The mask is made on the device of the input.
# runs
import torch
from torch import nn

layer = nn.TransformerEncoderLayer(16, 4, dim_feedforward=32, batch_first=True)
net = nn.TransformerEncoder(layer, 2).cuda()
x = torch.randn(2, 6, 16, device="cuda")
mask = nn.Transformer.generate_square_subsequent_mask(6).to(x.device)
net(x, mask=mask).mean().backward()
net.eval()
with torch.inference_mode():
    assert net(x, mask=mask).isfinite().all()
