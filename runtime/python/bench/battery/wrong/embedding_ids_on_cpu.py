# Token ids come from a tokenizer, on the CPU.
# raises: RuntimeError: Expected all tensors to be on the same device, but got index is on cpu, different from other tensors on cuda:0 (when checking argument in method wrapper_CUDA__index_select)
# raises: RuntimeError: two devices, cuda:0 and cpu! (when checking argument for argument index in method wrapper
import torch

embed = torch.nn.Embedding(10, 4).to("cuda:0")
ids = torch.tensor([[1, 2, 3]])
embed(ids)  # raises
