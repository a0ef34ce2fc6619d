# Boxes that are made from whatever they are given, and converted to the type that they came in.
import torch


class Boxes:
    def __init__(self, data):
        device = data.device if isinstance(data, torch.Tensor) else torch.device('cpu')
        self.tensor = torch.as_tensor(data, dtype=torch.float32, device=device).reshape(-1, 4)

    def __len__(self):
        return self.tensor.shape[0]

    def overlaps(self, other):
        if len(self) * len(other) == 0:
            return self.tensor.new_zeros(len(self), len(other))
        return self.tensor[:, None, 0] * other.tensor[None, :, 0]


def flip(boxes):
    is_boxes = isinstance(boxes, Boxes)
    is_list = isinstance(boxes, (list, tuple))
    if is_list:
        corners = torch.tensor(boxes)
    elif is_boxes:
        corners = boxes.tensor.clone()
    else:
        corners = boxes.clone()
    corners = corners[:, [2, 3, 0, 1]]
    if is_list:
        return corners.tolist()
    return Boxes(corners.cpu()) if is_boxes else corners


first = torch.tensor([[0., 0., 1., 1.]], device='cuda')
second = torch.tensor([[0., 0., 2., 2.], [1., 1., 3., 3.]], device='cuda')
print(Boxes(first).overlaps(Boxes(second)))
print(Boxes(flip(first)).overlaps(Boxes(second)))
print(Boxes([]).overlaps(Boxes(second)))
