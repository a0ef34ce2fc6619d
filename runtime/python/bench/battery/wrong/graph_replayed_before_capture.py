# A graph into which nothing was captured.
# raises: RuntimeError: capture_end() must have been called before calling instantiate
# raises: RuntimeError: Called CUDAGraph::replay without a preceding successful capture.
import torch

torch.cuda.CUDAGraph().replay()  # raises
