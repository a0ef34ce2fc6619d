# A new thread begins on cuda:0, whichever device its model is on.
import threading

import torch


class Worker(threading.Thread):
    def __init__(self, index):
        super().__init__()
        self.index = index
        self.net = torch.nn.Linear(4, 2)

    def run(self):
        self.net.to(f"cuda:{self.index}")
        batch = torch.rand(8, 4).cuda()
        self.result = self.net(batch).cpu()  # expect: device-mismatch


errors = []
threading.excepthook = lambda failure: errors.append(failure.exc_value)
workers = [Worker(index) for index in range(2)]
for worker in workers:
    worker.start()
for worker in workers:
    worker.join()
for error in errors:
    raise error
