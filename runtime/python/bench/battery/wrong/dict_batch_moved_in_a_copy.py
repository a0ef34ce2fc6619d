# The loop rebinds its variable; the dictionary keeps the tensors of the CPU.
# raises: RuntimeError: Expected all tensors to be on the same device, but got index is on cpu, different from other tensors on cuda:0 (when checking argument in method wrapper_CUDA__index_select)
# raises: RuntimeError: two devices, cuda:0 and cpu! (when checking argument for argument index in method wrapper
import torch

embed = torch.nn.Embedding(10, 4).cuda()
batch = {"input_ids": torch.randint(10, (2, 5)), "mask": torch.ones(2, 5)}
for value in batch.values():
    value = value.cuda()
embed(batch["input_ids"])  # raises
