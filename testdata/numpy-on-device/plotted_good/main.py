# What a plot shows becomes an array first.
import matplotlib.pyplot as plt
import torch
from sklearn.metrics import accuracy_score


def show(image):
    plt.imshow(image, cmap="gray")


picture = torch.rand(8, 8).cuda()
show(picture.cpu())
labels = torch.randint(0, 2, (16,)).cuda()
print(accuracy_score([0] * 16, labels.cpu()))
