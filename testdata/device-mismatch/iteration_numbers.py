# The number of an iteration tells what was done before it, and what is so behind the loop.
import torch
from torch import nn

host = torch.zeros(3)
other = torch.zeros(3, device="cuda")
gpu = torch.ones(3, device="cuda")


def moved_in_the_second_batch():
    model = nn.Linear(3, 3)
    for number, batch in enumerate(torch.zeros(100, 3)):
        if number == 1:
            model.cuda()
        model(batch.cuda())  # expect: device-mismatch


def back_on_the_cpu_every_tenth_epoch():
    model = nn.Linear(3, 3).cuda()
    for epoch in range(100):
        model(gpu)  # expect: device-mismatch
        if epoch % 10 == 0:
            model.cpu()


def left_by_the_last():
    for i in range(101):
        if i % 2 == 0:
            kept = host
        else:
            kept = other
    kept + gpu  # expect: device-mismatch


def blocks_in_turn():
    blocks = []
    for i in range(6):
        blocks.append(nn.Linear(3, 3).to(f"cuda:{i % 2}"))
    x = torch.zeros(3, device="cuda:0")
    for block in blocks:
        x = block(x)  # expect: device-mismatch


errors = []


def refused(call):
    try:
        call()
    except RuntimeError as error:
        errors.append(error)


refused(moved_in_the_second_batch)
refused(back_on_the_cpu_every_tenth_epoch)
refused(left_by_the_last)
assert len(errors) == 3, errors
blocks_in_turn()
