# There are more ranks than GPUs; the rank is taken for a GPU.
# raises: RuntimeError: CUDA error: invalid device ordinal
import os

os.environ["LOCAL_RANK"] = "4"

import torch

torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))  # raises
