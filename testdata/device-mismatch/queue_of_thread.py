# Each thread takes its work from a queue until that is empty; its current device is cuda:0.
import copy
import queue
from concurrent.futures import ThreadPoolExecutor

import torch
from torch import nn


class Pool:
    def __init__(self, model):
        self.replicas = [copy.deepcopy(model).to(f"cuda:{i}") for i in range(2)]
        self.jobs = [queue.Queue(), queue.Queue()]
        for jobs in self.jobs:
            jobs.put(torch.rand(2, 4))

    def drain(self, replica, jobs):
        results = []
        while True:
            try:
                rows = jobs.get_nowait()
            except queue.Empty:
                return results
            results.append(replica(rows.cuda()).cpu())  # expect: device-mismatch

    def run(self):
        with ThreadPoolExecutor(2) as executor:
            started = []
            for i, replica in enumerate(self.replicas):
                torch.cuda.set_device(i)
                started.append(executor.submit(self.drain, replica, self.jobs[i]))
            return [each.result() for each in started]


Pool(nn.Linear(4, 2)).run()
