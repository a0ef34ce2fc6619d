# After the checkpoint the model is moved back.
import torch
import torch.nn as nn


def save_checkpoint(model, path):
    torch.save(model.module.cpu().state_dict(), path)
    model.cuda()


model = nn.DataParallel(nn.Linear(4, 2)).cuda()
for epoch in range(2):
    data = torch.randn(8, 4).cuda()
    loss = model(data).pow(2).mean()
    loss.backward()
    model.zero_grad()
    save_checkpoint(model, "epoch%d.pt" % epoch)
