# The weights of the classes are no parameter of the model and are not moved with it.
# raises: RuntimeError: Expected all tensors to be on the same device, but got weight is on cpu, different from other tensors on cuda:0 (when checking argument in method wrapper_CUDA_nll_loss_forward)
# raises: RuntimeError: two devices, cuda:0 and cpu! (when checking argument for argument weight in method wrapper ... nll_loss_forward
import torch

criterion = torch.nn.CrossEntropyLoss(weight=torch.tensor([1.0, 2.0, 0.5]))
logits = torch.randn(8, 3, device="cuda", requires_grad=True)
labels = torch.randint(3, (8,), device="cuda")
criterion(logits, labels)  # raises
