# The first part of a network scatters what it is given; the rest is on the first device.
import torch
import torchvision

model = torchvision.models.vgg11()
model.features = torch.nn.DataParallel(model.features)
model.cuda()
output = model(torch.rand(4, 3, 64, 64))
print(output.shape)
