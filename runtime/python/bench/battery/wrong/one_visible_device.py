# the job sees one GPU only, the teacher goes to the second
# environment: CUDA_VISIBLE_DEVICES=1
# raises: AcceleratorError: CUDA error: invalid device ordinal
import torch
import torch.nn as nn


def place(teacher, student):
    student.to("cuda:0")
    teacher.to("cuda:1")  # raises
    return teacher.eval().requires_grad_(False), student


assert torch.cuda.device_count() == 1
torch.manual_seed(0)
teacher, student = place(nn.Linear(8, 4), nn.Linear(8, 4))  # raises
x = torch.randn(5, 8)
with torch.no_grad():
    soft = teacher(x.to("cuda:1")).softmax(-1)
logits = student(x.to("cuda:0"))
nn.functional.kl_div(logits.log_softmax(-1), soft.to("cuda:0"), reduction="batchmean").backward()
