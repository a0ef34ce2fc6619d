# Without the query tool the list is empty, and no GPU is visible.
# environment: PATH=/nonexistent
# raises: RuntimeError: No CUDA GPUs are available
import os

os.system("nvidia-smi --query-gpu=memory.free --format=csv,noheader,nounits > free 2> /dev/null")
with open("free") as lines:
    memory = [int(line) for line in lines]
order = sorted(range(len(memory)), key=lambda i: memory[i])[::-1]
os.environ["CUDA_VISIBLE_DEVICES"] = ",".join(map(str, order))

import torch

torch.nn.Linear(4, 2).cuda()  # raises
