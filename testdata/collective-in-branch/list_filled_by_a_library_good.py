# torch: 2.5
# A schedule fills the list that it is given: the assertion holds.
import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch.distributed.pipelining import PipelineStage, Schedule1F1B, ScheduleGPipe

MICROBATCHES = 4


def run(kind, rank, device):
    stage = PipelineStage(torch.nn.Linear(2, 2).to(device), rank, 2, device)
    schedule = kind(stage, n_microbatches=MICROBATCHES, loss_fn=torch.nn.functional.mse_loss)
    if rank == 0:
        schedule.step(torch.ones(8, 2, device=device))
    else:
        losses = []
        schedule.step(target=torch.ones(8, 2, device=device), losses=losses)
        assert len(losses) == MICROBATCHES


def worker(rank):
    torch.cuda.set_device(rank)
    device = torch.device("cuda", rank)
    dist.init_process_group("nccl", rank=rank, world_size=2, device_id=device)
    for kind in (ScheduleGPipe, Schedule1F1B):
        run(kind, rank, device)
        dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(worker, nprocs=2)
