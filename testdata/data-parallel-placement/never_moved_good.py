# The wrapped model is moved before its forward.
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset


class RandomDataset(Dataset):
    def __init__(self, size, length):
        self.len = length
        self.data = torch.randn(length, size)

    def __getitem__(self, index):
        return self.data[index]

    def __len__(self):
        return self.len


class Model(nn.Module):
    def __init__(self, input_size, output_size):
        super(Model, self).__init__()
        self.fc = nn.Linear(input_size, output_size)

    def forward(self, input):
        return self.fc(input)


device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")
rand_loader = DataLoader(dataset=RandomDataset(5, 12), batch_size=6, shuffle=True)
model = Model(5, 2)
if torch.cuda.device_count() > 1:
    model = nn.DataParallel(model)
model.to(device)
for data in rand_loader:
    input = data.to(device)
    output = model(input)
    print(output.size())
