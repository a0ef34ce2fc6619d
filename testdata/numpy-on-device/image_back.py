# An image is shown from the GPU.
import argparse

import torch
import torch.nn as nn


def tensor_to_image(tensor):
    image = tensor.clone().detach()
    image = image.numpy().squeeze()  # expect: numpy-on-device
    image = image.transpose(1, 2, 0)
    return image.clip(0, 1)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=2)
    args = parser.parse_args()
    device = torch.device("cuda")
    vgg = nn.Conv2d(3, 4, 3).to(device)
    content = torch.rand(1, 3, 5, 5).to(device)
    target = content.clone().requires_grad_(True)
    optimizer = torch.optim.Adam([target], lr=0.003)
    for _ in range(args.steps):
        loss = torch.mean((vgg(target) - vgg(content).detach()) ** 2)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(tensor_to_image(target).shape)


if __name__ == "__main__":
    main()
