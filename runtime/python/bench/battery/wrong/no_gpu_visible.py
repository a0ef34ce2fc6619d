# CUDA_VISIBLE_DEVICES hides every GPU.
# environment: CUDA_VISIBLE_DEVICES=
# raises: RuntimeError: No CUDA GPUs are available
import torch

torch.nn.Linear(4, 2).cuda()  # raises
