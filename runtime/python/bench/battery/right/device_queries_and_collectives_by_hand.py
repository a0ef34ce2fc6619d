# The query functions of torch.cuda and torch.accelerator, and single-process communication between the two cards.
# runs
import torch
import torch.cuda.comm as comm


class Inventory:
    def __init__(self):
        self.rows = []
        for i in range(torch.cuda.device_count()):
            props = torch.cuda.get_device_properties(i)
            self.rows.append(
                {
                    "name": props.name,
                    "capability": (props.major, props.minor),
                    "memory": props.total_memory,
                    "sms": props.multi_processor_count,
                    "warp": props.warp_size,
                }
            )

    def check(self):
        for i, row in enumerate(self.rows):
            assert row["name"] == torch.cuda.get_device_name(i) == torch.cuda.get_device_name(f"cuda:{i}")
            assert row["capability"] == torch.cuda.get_device_capability(i)
            assert row["memory"] >= torch.cuda.mem_get_info(i)[0] and row["sms"] >= 1 and row["warp"] == 32


def ring_all_reduce(tensors):
    """Sum over the cards, the result on every card."""
    n = len(tensors)
    chunks = [list(t.chunk(n)) for t in tensors]
    for step in range(n - 1):
        for rank in range(n):
            i = (rank - step) % n
            peer = (rank + 1) % n
            chunks[peer][i] = chunks[peer][i] + chunks[rank][i].to(tensors[peer].device)
    for step in range(n - 1):
        for rank in range(n):
            i = (rank + 1 - step) % n
            peer = (rank + 1) % n
            chunks[peer][i] = chunks[rank][i].to(tensors[peer].device)
    return [torch.cat(c) for c in chunks]


def main():
    assert torch.cuda.is_available() and torch.cuda.device_count() == 2
    assert torch.version.cuda is not None and torch.backends.cuda.is_built() and torch.backends.cudnn.is_available()
    inventory = Inventory()
    inventory.check()
    assert torch.cuda.is_initialized()
    assert isinstance(torch.cuda.can_device_access_peer(0, 1), bool)
    assert any(a.startswith("sm_") for a in torch.cuda.get_arch_list())
    assert torch.backends.cudnn.version() > 8000
    for bad in (2, 7):
        try:
            torch.cuda.get_device_properties(bad)
        except AssertionError as error:
            assert "Invalid device id" in str(error)
        else:
            raise AssertionError("an unknown card was described")

    accelerator = torch.accelerator.current_accelerator()
    assert accelerator.type == "cuda" and torch.accelerator.is_available()
    assert torch.accelerator.device_count() == 2
    torch.accelerator.set_device_index(1)
    assert torch.cuda.current_device() == torch.accelerator.current_device_index() == 1
    assert torch.accelerator.current_stream().device.index == 1
    torch.accelerator.synchronize()
    torch.cuda.set_device("cuda:0")
    assert torch.accelerator.current_device_index() == 0
    assert torch.get_device_module("cuda") is torch.cuda
    t = torch.ones(2, device="cuda:1")
    assert t.get_device() == 1 and torch.ones(1).get_device() == -1 and t.is_cuda
    assert t.type() == "torch.cuda.FloatTensor" and str(t.device) == "cuda:1"
    assert repr(t) == "tensor([1., 1.], device='cuda:1')"

    torch.manual_seed(0)
    base = torch.randn(6, 4)
    copies = comm.broadcast(base.cuda(), devices=[0, 1])
    assert [c.device.index for c in copies] == [0, 1] and torch.equal(copies[1].cpu(), base)
    parts = comm.scatter(base.cuda(), devices=[0, 1], chunk_sizes=[2, 4])
    assert parts[0].shape == (2, 4) and parts[1].shape == (4, 4) and parts[1].device.index == 1
    assert torch.equal(comm.gather(parts, destination="cuda:1").cpu(), base)
    assert comm.gather(parts, destination="cpu").device.type == "cpu"
    total = comm.reduce_add(copies, destination=1)
    assert total.device.index == 1
    torch.testing.assert_close(total.cpu(), 2 * base)
    groups = comm.broadcast_coalesced([base.cuda(), base.sum(0).cuda()], [0, 1])
    assert groups[1][1].device.index == 1 and torch.equal(groups[1][0].cpu(), base)

    summed = ring_all_reduce([torch.arange(8.0, device="cuda:0"), torch.ones(8, device="cuda:1")])
    for i, s in enumerate(summed):
        assert s.device.index == i and s.tolist() == [k + 1.0 for k in range(8)]

    # out-of-place and in-place copies between the cards
    a, b = torch.zeros(3, device="cuda:0"), torch.arange(3, device="cuda:1")
    a.copy_(b)
    assert a.tolist() == [0.0, 1.0, 2.0] and a.dtype == torch.float32
    a[1:] = torch.tensor([8, 9], device="cuda:1")
    assert a.tolist() == [0.0, 8.0, 9.0]
    assert a.to(b).device == b.device and a.to(b).dtype == torch.int64
    assert a.type_as(b).device == b.device and a.to("cuda:0") is a and a.cuda(0) is a
    print([r["name"] for r in inventory.rows])


if __name__ == "__main__":
    main()
