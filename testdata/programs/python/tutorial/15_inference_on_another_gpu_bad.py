# The features are on another GPU than the classifier.
# raises: RuntimeError: Expected all tensors to be on the same device, but got mat1 is on cuda:2, different from other tensors on cuda:3 (when checking argument in method wrapper_CUDA_addmm)
# raises: RuntimeError: two devices, cuda:3 and cuda:2! (when checking argument for argument mat1 in method wrapper
import torch

classifier = torch.nn.Linear(8, 10).to("cuda:3").eval()
features = torch.randn(1, 8).to("cuda:2")
classifier(features)  # expect: device-mismatch  # raises
