# A tensor of the CPU goes to a child, which computes on its GPU.
# runs
import torch
import torch.multiprocessing as mp


def work(queue):
    queue.put((queue_in.get().cuda() * 2).tolist())


queue_in, queue_out = mp.get_context("fork").Queue(), mp.get_context("fork").Queue()
child = mp.get_context("fork").Process(target=work, args=(queue_out,))
child.start()
queue_in.put(torch.ones(3))
assert queue_out.get(timeout=30) == [2, 2, 2]
child.join()
