# What a loop does in its first iteration is done before what follows it, and what its last iteration
# does is what is so behind it. Elements that a list takes from different iterations differ.
import torch
from torch import nn

host = torch.zeros(3)
other = torch.zeros(3, device="cuda")
gpu = torch.ones(3, device="cuda")


def moved_in_the_first_batch():
    model = nn.Linear(3, 3)
    for number, batch in enumerate(torch.zeros(100, 3)):
        if number == 0:
            model.cuda()
        model(batch.cuda())


def moved_in_the_first_epoch():
    model = nn.Linear(3, 3)
    hidden = torch.zeros(3)
    for epoch in range(100):
        for step in range(50):
            if epoch == 0 and step == 0:
                model.cuda()
                hidden = hidden.cuda()
            model(gpu) + hidden


def numbered_from_one():
    model = nn.Linear(3, 3)
    for number, batch in enumerate(torch.zeros(100, 3), start=1):
        if number == 1:
            model.cuda()
        model(batch.cuda())


def left_by_the_last():
    for i in range(100):
        if i % 2 == 0:
            kept = host
        else:
            kept = other
    kept + gpu


def every_second_element():
    kept = []
    for i in range(100):
        if i % 2 == 0:
            kept.append(host)
        else:
            kept.append(other)
    kept[1] + gpu
    kept[98] + host


def first_half():
    kept = []
    for i in range(100):
        kept.append(host if i < 50 else other)
    for j in range(50, 100):
        kept[j] + gpu


def blocks_in_turn():
    blocks = []
    for i in range(6):
        blocks.append(nn.Linear(3, 3).to("cuda:1" if i % 2 else "cuda:0"))
    x = torch.zeros(3)
    for i, block in enumerate(blocks):
        x = block(x.to(f"cuda:{i % 2}"))


moved_in_the_first_batch()
moved_in_the_first_epoch()
numbered_from_one()
left_by_the_last()
every_second_element()
first_half()
blocks_in_turn()
