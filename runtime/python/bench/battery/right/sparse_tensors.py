# A sparse adjacency times features.
# runs
import torch

index = torch.tensor([[0, 1, 1], [2, 0, 2]], device="cuda")
adjacency = torch.sparse_coo_tensor(index, torch.ones(3, device="cuda"), (3, 3))
features = torch.arange(6.0, device="cuda").view(3, 2).requires_grad_()
output = torch.sparse.mm(adjacency, features)
assert output.tolist() == [[4, 5], [4, 6], [0, 0]]
output.sum().backward()
assert features.grad.is_cuda

# The second row has no element, so that nothing is the greatest of it.
rows = torch.tensor([[1., 0.], [0., 0.]], device="cuda").to_sparse_csr().requires_grad_()
torch.sparse.mm(rows, features[:2].detach(), "amax").sum().backward()
assert rows.grad.values().tolist() == [1.]
