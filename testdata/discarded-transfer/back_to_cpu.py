# The outputs are meant to come back to the CPU.
import torch

net = torch.nn.Linear(4, 3).to("cuda")
outputs, targets = [], []
with torch.no_grad():
    for _ in range(2):
        data, target = torch.randn(5, 4), torch.randint(3, (5,))
        output = net(data.to("cuda"))
        output.cpu()  # expect: discarded-transfer
        outputs.append(output)
        targets.append(target)
predicted = torch.cat(outputs).argmax(dim=1)
print((predicted == torch.cat(targets)).sum())  # expect: device-mismatch
