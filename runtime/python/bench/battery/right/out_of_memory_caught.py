# A batch that does not fit is halved until it does.
# runs
import torch

size = 1 << 41
while True:
    try:
        x = torch.empty(size, dtype=torch.uint8, device="cuda")
        break
    except torch.cuda.OutOfMemoryError:
        torch.cuda.empty_cache()
        size //= 2
        if size < 1 << 27:
            x = torch.empty(size, dtype=torch.uint8, device="cuda")
            break
assert 0 < x.numel() < 1 << 41
