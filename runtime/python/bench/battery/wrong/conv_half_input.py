# model.half() without halving the input.
# raises: RuntimeError: Input type (float) and bias type (c10::Half) should be the same
# raises: RuntimeError: Input type (torch.cuda.FloatTensor) and weight type (torch.cuda.HalfTensor) should be the same
import torch

conv = torch.nn.Conv2d(3, 4, 3).cuda().half()
image = torch.randn(1, 3, 8, 8).cuda()
conv(image)  # raises
