# The weight of a linear layer is a DTensor, the bias was left a plain tensor.
# raises: ProcessRaisedException: got mixed torch.Tensor and DTensor, need to convert all torch.Tensor to DTensor
import os
import socket

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import DTensor, Replicate, Shard, distribute_tensor


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class ColumnLinear:
    def __init__(self, weight, bias, mesh):
        self.mesh = mesh
        self.weight = distribute_tensor(weight, mesh, [Shard(0)])
        self.bias = bias

    def __call__(self, x):
        if not isinstance(x, DTensor):
            x = DTensor.from_local(x, self.mesh, [Replicate()])
        out = torch.matmul(x, self.weight.t())
        return out + self.bias


def worker(rank, world_size):
    torch.cuda.set_device(rank)
    device = torch.device("cuda", rank)
    dist.init_process_group("nccl", rank=rank, world_size=world_size, device_id=device)
    mesh = init_device_mesh("cuda", (world_size,), mesh_dim_names=("tp",))
    torch.manual_seed(4)
    weight = torch.randn(8, 6, device=device)
    bias = torch.randn(8, device=device)
    x = torch.randn(5, 6, device=device)
    layer = ColumnLinear(weight, bias, mesh)
    out = layer(x).full_tensor()
    expected = torch.nn.functional.linear(x, weight, bias)
    torch.testing.assert_close(out, expected, rtol=1e-4, atol=1e-4)
    dist.destroy_process_group()


if __name__ == "__main__":
    os.environ["MASTER_ADDR"] = "127.0.0.1"
    os.environ["MASTER_PORT"] = str(free_port())
    mp.spawn(worker, args=(2,), nprocs=2)  # raises
