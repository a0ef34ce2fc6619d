# CUDA graphs: whole-step capture of training, a graphed callable and static inference with replay.
# runs
import copy

import torch
import torch.nn as nn


def net():
    return nn.Sequential(nn.Linear(6, 16), nn.Tanh(), nn.Linear(16, 2))


def eager(model, data, lr):
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    losses = []
    for x, y in data:
        optimizer.zero_grad(set_to_none=True)
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def graphed(model, data, lr):
    start = copy.deepcopy(model.state_dict())
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    static_x, static_y = torch.empty_like(data[0][0]), torch.empty_like(data[0][1])
    static_x.copy_(data[0][0])
    static_y.copy_(data[0][1])
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            optimizer.zero_grad(set_to_none=True)
            nn.functional.mse_loss(model(static_x), static_y).backward()
            optimizer.step()
    torch.cuda.current_stream().wait_stream(side)

    graph = torch.cuda.CUDAGraph()
    optimizer.zero_grad(set_to_none=True)
    with torch.cuda.graph(graph):
        loss = nn.functional.mse_loss(model(static_x), static_y)
        loss.backward()
        optimizer.step()
    model.load_state_dict(start)  # in place, the graph keeps its addresses
    losses = []
    for x, y in data:
        static_x.copy_(x)
        static_y.copy_(y)
        graph.replay()
        losses.append(loss.item())
    return losses


def main():
    torch.manual_seed(0)
    base = net().cuda()
    g = torch.Generator().manual_seed(1)
    data = [(torch.randn(8, 6, generator=g).cuda(), torch.randn(8, 2, generator=g).cuda()) for _ in range(5)]
    a = eager(copy.deepcopy(base), data, 0.1)
    b = graphed(copy.deepcopy(base), data, 0.1)
    torch.testing.assert_close(torch.tensor(b), torch.tensor(a), rtol=1e-3, atol=1e-5)

    assert not torch.cuda.is_current_stream_capturing()
    x = torch.zeros(3, device="cuda")
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        assert torch.cuda.is_current_stream_capturing()
        y = x * 2 + 1
        z = y.cumsum(0)
    for k in range(3):
        x.fill_(float(k))
        graph.replay()
        assert y.tolist() == [2.0 * k + 1] * 3
        assert z.tolist() == [2.0 * k + 1, 4.0 * k + 2, 6.0 * k + 3]

    other = torch.cuda.CUDAGraph()
    with torch.cuda.graph(other, pool=graph.pool()):
        w = z.clone().add_(1)
    other.replay()
    assert w.tolist() == [6.0, 11.0, 16.0]

    plain = net().cuda()
    reference = copy.deepcopy(plain)
    sample = torch.randn(8, 6, device="cuda", requires_grad=True)
    callable_ = torch.cuda.make_graphed_callables(plain, (sample,))
    for x, y in data:
        x1, x2 = x.clone().requires_grad_(), x.clone().requires_grad_()
        l1 = nn.functional.mse_loss(callable_(x1), y)
        l2 = nn.functional.mse_loss(reference(x2), y)
        l1.backward()
        l2.backward()
        torch.testing.assert_close(l1, l2, rtol=1e-3, atol=1e-5)
        torch.testing.assert_close(x1.grad, x2.grad, rtol=1e-3, atol=1e-5)
        for p, q in zip(plain.parameters(), reference.parameters()):
            torch.testing.assert_close(p.grad, q.grad, rtol=1e-3, atol=1e-5)
        plain.zero_grad(set_to_none=True)
        reference.zero_grad(set_to_none=True)
    print("losses", b)


main()
