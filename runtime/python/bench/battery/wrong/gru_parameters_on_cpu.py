# The recurrent part is built after the model was moved.
# raises: RuntimeError: Input and parameter tensors are not at the same device, found input tensor at cuda:0 and parameter tensor at cpu
import torch

model = torch.nn.ModuleDict({"embed": torch.nn.Linear(4, 4)}).cuda()
model["gru"] = torch.nn.GRU(4, 6)
hidden = model["embed"](torch.randn(5, 2, 4, device="cuda"))
model["gru"](hidden)  # raises
