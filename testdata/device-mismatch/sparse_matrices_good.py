# Sparse matrices, in both spellings.
import torch

indices = torch.tensor([[0, 1, 2], [1, 2, 0]])
features = torch.rand(3, 4).cuda()
moved = torch.sparse.FloatTensor(indices, torch.ones(3), torch.Size([3, 3])).cuda()
print(torch.sparse.mm(moved, features))
kept = torch.sparse.FloatTensor(indices, torch.ones(3), torch.Size([3, 3]))
print(torch.spmm(kept.cuda(), features))
