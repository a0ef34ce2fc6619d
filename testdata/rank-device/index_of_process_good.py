# Each process has its rank's device; without processes the current one is used.
import argparse

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.nn as nn


def wrap(model, is_distributed, device):
    if is_distributed:
        if device.type == "cuda" and device.index is not None:
            torch.cuda.set_device(device)
            model.to(device)
            return nn.parallel.DistributedDataParallel(model, device_ids=[device])
        model.to(device)
        return nn.parallel.DistributedDataParallel(model)
    return nn.DataParallel(model).cuda()


def work(index, args):
    if index >= 0:
        args.device = torch.device(f"cuda:{index}")
    if args.distributed:
        dist.init_process_group("nccl", init_method="tcp://127.0.0.1:29731", rank=index,
                                world_size=args.gpus)
    model = wrap(nn.Linear(4, 2), args.distributed, args.device)
    loss = model(torch.randn(8, 4, device=args.device)).sum()
    loss.backward()
    if args.distributed:
        total = torch.tensor([loss.item()], device=args.device)
        dist.all_reduce(total)
        dist.destroy_process_group()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--distributed", action="store_true")
    args = parser.parse_args()
    args.device = torch.device("cuda")
    args.gpus = torch.cuda.device_count()
    if args.distributed:
        mp.spawn(work, nprocs=args.gpus, args=(args,))
    else:
        work(-1, args)
