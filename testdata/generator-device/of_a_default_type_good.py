"""With a default type of CUDA's, a loader draws its order on the GPU."""
import torch
from torch.utils.data import DataLoader, TensorDataset

torch.set_default_tensor_type("torch.cuda.FloatTensor")
images = TensorDataset(torch.rand(8, 4))
for (batch,) in DataLoader(images, batch_size=4, shuffle=True,
                           generator=torch.Generator(device="cuda")):
    batch + torch.ones(4)
