# All pairwise differences of a large point set are asked for at once.
# raises: OutOfMemoryError: CUDA out of memory. Tried to allocate 64.00 GiB. GPU 0 has a total capacity of
import torch


class PointCloud:
    def __init__(self, n, dim, device):
        generator = torch.Generator(device=device).manual_seed(0)
        self.points = torch.rand(n, dim, generator=generator, device=device)

    def nearest(self, queries):
        difference = torch.empty(queries.size(0), self.points.size(0), self.points.size(1), device=queries.device)  # raises
        torch.sub(queries.unsqueeze(1), self.points.unsqueeze(0), out=difference)
        return difference.square().sum(dim=-1).argmin(dim=1)


device = torch.device("cuda:0")
cloud = PointCloud(65536, 4, device)
small = cloud.nearest(torch.zeros(8, 4, device=device))
print("small", small.tolist())
print("memory now", torch.cuda.memory_allocated(device))
everything = cloud.nearest(cloud.points)
print(everything.shape)
