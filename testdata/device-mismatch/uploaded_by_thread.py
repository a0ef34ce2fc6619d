# A thread uploads the batches to its own current device, which is cuda:0; the model is elsewhere.
import queue
import threading

import torch
from torch import nn


class Uploader:
    def __init__(self, batches):
        self.batches = batches

    def _fill(self, uploaded):
        for batch in self.batches:
            uploaded.put(batch.cuda())
        uploaded.put(None)

    def __iter__(self):
        uploaded = queue.Queue(maxsize=4)
        threading.Thread(target=self._fill, args=(uploaded,), daemon=True).start()
        while True:
            batch = uploaded.get()
            if batch is None:
                return
            yield batch


torch.cuda.set_device(1)
model = nn.Linear(4, 4).cuda()
for x in Uploader([torch.rand(2, 4), torch.rand(2, 4)]):
    model(x)  # expect: device-mismatch
