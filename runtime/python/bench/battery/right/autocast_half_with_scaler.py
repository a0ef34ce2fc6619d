# Half precision with GradScaler; a step with infinite gradients is skipped.
# runs
import torch

net = torch.nn.Sequential(torch.nn.Conv2d(3, 4, 3), torch.nn.Flatten(),
                          torch.nn.Linear(4 * 36, 2)).cuda()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
scaler = torch.cuda.amp.GradScaler(init_scale=1024.0)
x, y = torch.randn(4, 3, 8, 8, device="cuda"), torch.tensor([0, 1, 0, 1], device="cuda")
for _ in range(3):
    optimizer.zero_grad()
    with torch.cuda.amp.autocast():
        output = net(x)
        assert output.dtype == torch.float16
        loss = torch.nn.functional.cross_entropy(output, y)
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    scaler.step(optimizer)
    scaler.update()
before = net[2].weight.detach().clone()
optimizer.zero_grad()
scaler.scale(net(x).sum() * float("inf")).backward()
scaler.step(optimizer)
scaler.update()
assert torch.equal(before, net[2].weight) and scaler.get_scale() == 512
