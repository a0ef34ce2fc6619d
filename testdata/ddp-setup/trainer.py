# The trainer moves the model after it has wrapped it.
import os

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


class Trainer:
    def __init__(self, model, gpu_id):
        self.gpu_id = gpu_id
        self.model = DistributedDataParallel(model, device_ids=[gpu_id])  # expect: ddp-setup
        self.model = self.model.to(gpu_id)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=1e-3)

    def run_batch(self, source, targets):
        self.optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(self.model(source), targets)
        loss.backward()
        self.optimizer.step()

    def save(self, path):
        torch.save(self.model.module.state_dict(), path)


dist.init_process_group(backend="gloo", init_method="file://" + os.path.abspath("store"), rank=0, world_size=1)
trainer = Trainer(torch.nn.Linear(20, 1), 0)
trainer.run_batch(torch.randn(4, 20).to(0), torch.randn(4, 1).to(0))
trainer.save("checkpoint.pt")
dist.destroy_process_group()
