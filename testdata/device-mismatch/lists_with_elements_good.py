# What has no elements is on the CPU, all else where its elements are.
import random
import unittest

import numpy as np
import torch


class Points:
    def __init__(self, clouds):
        self.device = torch.device("cpu")
        self.clouds = clouds
        self.count = len(clouds)
        if self.count > 0:
            self.device = clouds[0].device

    def lengths(self):
        return torch.tensor([len(each) for each in self.clouds], device=self.device)


def difference(a, b):
    backend = torch if torch.is_tensor(a) else np
    ratio = backend.abs(a - b)
    if backend == np:
        ratio = np.array(ratio)
    return ratio


class PointsTest(unittest.TestCase):
    def test_lengths(self):
        device = torch.device("cuda:0")
        points = Points([torch.rand(5, 3, device=device) for _ in range(random.randint(2, 9))])
        found = difference(points.lengths(), torch.full((1,), 5, device=device))
        self.assertEqual(found.sum().item(), 0)

    def test_mixed_places(self):
        with self.assertRaises(RuntimeError):
            print(torch.rand(3, device="cuda") + torch.rand(3))


if __name__ == "__main__":
    unittest.main()
