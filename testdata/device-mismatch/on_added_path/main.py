# The path on which modules are looked for is set by the script.
import os
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "core"))

import torch

from encoder import Encoder

model = Encoder()
images = torch.rand(2, 3, 8, 8).cuda()
model([images, images])  # expect: device-mismatch
