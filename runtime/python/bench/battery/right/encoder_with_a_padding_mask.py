# In evaluation an encoder leaves the padding out, by nested tensors.
# runs
import torch

layer = torch.nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)
encoder = torch.nn.TransformerEncoder(layer, 2).cuda().eval()
padding = torch.tensor([[False] * 5, [False] * 3 + [True] * 2], device="cuda")
with torch.no_grad():
    result = encoder(torch.rand(2, 5, 8, device="cuda"), src_key_padding_mask=padding)
assert result.shape == (2, 5, 8) and result.is_cuda
