# A method of the model is called on its wrapper.
# raises: AttributeError: 'DataParallel' object has no attribute 'encode'
import torch


class Net(torch.nn.Linear):
    def encode(self, x):
        return self(x)


net = torch.nn.DataParallel(Net(4, 2).cuda())
net.encode(torch.randn(8, 4).cuda())  # raises
