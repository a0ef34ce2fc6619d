# Some of the GPUs; outputs are gathered on the first of them.
# runs
import torch

for ids in ([0, 3], [0, 1, 2], [2, 3]):
    net = torch.nn.DataParallel(torch.nn.Linear(4, 2).to(f"cuda:{ids[0]}"), device_ids=ids)
    assert net.output_device == ids[0]
    assert net(torch.randn(9, 4)).get_device() == ids[0]
