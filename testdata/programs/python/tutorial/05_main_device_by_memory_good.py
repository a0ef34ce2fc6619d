# The GPU with the most free memory comes first; without the query tool the order stays.
# environment: PATH=/nonexistent
# runs
import os
import subprocess


def free_memory():
    """MiB of each GPU, empty where that cannot be asked."""
    query = ["nvidia-smi", "--query-gpu=memory.free", "--format=csv,noheader,nounits"]
    try:
        return [int(line) for line in subprocess.check_output(query, text=True).split()]
    except (OSError, subprocess.CalledProcessError, ValueError):
        print("nvidia-smi cannot be asked, the GPUs keep their order")
        return []


def by_memory(memory):
    return sorted(range(len(memory)), key=lambda i: memory[i])[::-1]


assert ",".join(map(str, by_memory([10362, 10058, 9990, 9990]))) == "0,1,3,2"
order = by_memory(free_memory())
if order:
    os.environ["CUDA_VISIBLE_DEVICES"] = ",".join(map(str, order))

import torch

assert torch.cuda.device_count() == 4
torch.nn.DataParallel(torch.nn.Linear(4, 2).cuda())(torch.randn(8, 4).cuda())
