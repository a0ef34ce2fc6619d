# A tensor of the GPU goes to a spawned process, which changes it.
# runs
import torch
import torch.multiprocessing as mp


def work(tensors, sums, may_end):
    tensor = tensors.get()
    tensor.add_(1)
    sums.put(tensor.sum().item())
    del tensor
    may_end.wait()


if __name__ == "__main__":
    context = mp.get_context("spawn")
    tensors, sums, may_end = context.Queue(), context.Queue(), context.Event()
    process = context.Process(target=work, args=(tensors, sums, may_end))
    process.start()
    tensor = torch.ones(3, device="cuda:1")
    tensors.put(tensor)
    assert sums.get(timeout=80) == 6 and tensor.tolist() == [2, 2, 2]
    may_end.set()
    process.join()
    assert process.exitcode == 0
