"""Training on virtual GPUs from Python: the numbers of the CPU, and PyTorch's own errors where a program is
wrong."""

import unittest

import cpu_build_testing  # noqa: F401, before torch
import torch
from torch import nn
from torch.nn.parallel import comm

SAME_DEVICE = "Expected all tensors to be on the same device"


def small_cnn():
    return nn.Sequential(nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2),
                         nn.Flatten(), nn.Linear(36, 5))


class SmallTransformer(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(20, 16)
        layer = nn.TransformerEncoderLayer(16, 2, 32, dropout=0.0, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 2)
        self.head = nn.Linear(16, 5)

    def forward(self, tokens):
        return self.head(self.encoder(self.embedding(tokens)).mean(1))


def train(make_model, make_input, device):
    """The losses of five steps of Adam."""
    torch.manual_seed(0)
    model = make_model().to(device)
    optimizer = torch.optim.Adam(model.parameters(), 1e-2)
    losses = []
    for _ in range(5):
        inputs, labels = make_input(), torch.randint(5, (8,))
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(inputs.to(device)), labels.to(device))
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


class TrainingTest(unittest.TestCase):
    def test_cnn_as_on_the_cpu(self):
        losses = {device: train(small_cnn, lambda: torch.randn(8, 1, 8, 8), device)
                  for device in ("cpu", "cuda:1")}
        self.assertEqual(losses["cpu"], losses["cuda:1"])
        self.assertLess(losses["cpu"][-1], losses["cpu"][0] * 2)

    def test_transformer_as_on_the_cpu(self):
        losses = {device: train(SmallTransformer, lambda: torch.randint(20, (8, 6)), device)
                  for device in ("cpu", "cuda:0")}
        for on_cpu, on_cuda in zip(losses["cpu"], losses["cuda:0"]):
            self.assertAlmostEqual(on_cpu, on_cuda, places=5)


class DataParallelTest(unittest.TestCase):
    def test_same_gradients(self):
        torch.manual_seed(0)
        net, inputs = nn.Linear(3, 4), torch.randn(5, 3)
        net(inputs).pow(2).sum().backward()
        expected = net.weight.grad.clone()
        net.zero_grad()
        net.cuda()
        output = nn.DataParallel(net)(inputs.cuda())
        self.assertEqual((output.device, output.shape), (torch.device("cuda:0"), (5, 4)))
        output.pow(2).sum().backward()
        torch.testing.assert_close(net.weight.grad.cpu(), expected)

    def test_leaves_no_cycles_of_references(self):
        import gc
        for is_counted in (False, True):
            gc.collect()
            nn.DataParallel(nn.Linear(1, 1).cuda())(torch.randn(1, device="cuda"))
            if is_counted:
                self.assertEqual(gc.collect(), 0)

    def test_module_without_values(self):
        with self.assertRaisesRegex(RuntimeError, "Modules with uninitialized parameters"):
            nn.DataParallel(nn.LazyLinear(10).to(0))(torch.rand(10, 10).to(0))

    def test_module_elsewhere(self):
        with self.assertRaisesRegex(RuntimeError, "module must have its parameters and buffers on device"):
            nn.DataParallel(nn.Linear(3, 4))(torch.randn(4, 3))

    def test_tensor_that_is_not_registered(self):
        class Masked(nn.Linear):
            def forward(self, inputs):
                return super().forward(inputs) * mask

        mask = torch.ones(4).cuda()
        with self.assertRaisesRegex(RuntimeError, SAME_DEVICE):
            nn.DataParallel(Masked(3, 4).cuda())(torch.randn(4, 3).cuda())


class CommunicationTest(unittest.TestCase):
    def test_scatter_and_gather(self):
        whole = torch.arange(10., device="cuda").view(5, 2)
        parts = comm.scatter(whole, [0, 1])
        self.assertEqual([(part.shape[0], part.device.index) for part in parts], [(3, 0), (2, 1)])
        self.assertTrue(torch.equal(comm.gather(parts, 0, 1), whole.to("cuda:1")))
        self.assertEqual(comm.gather(parts, 0, "cpu").device.type, "cpu")
        parts = comm.scatter(whole, [0, 1], chunk_sizes=[1, 4])
        self.assertEqual([len(part) for part in parts], [1, 4])

    def test_scatter_and_gather_into(self):
        whole = torch.arange(5., device="cuda")
        outputs = [torch.empty(3, device="cuda:1"), torch.empty(2, device="cuda:0")]
        comm.scatter(whole, out=outputs)
        self.assertEqual([output.tolist() for output in outputs], [[0, 1, 2], [3, 4]])
        self.assertTrue(torch.equal(comm.gather(outputs, out=torch.empty(5)), whole.cpu()))

    def test_broadcast(self):
        source = torch.ones(2, device="cuda")
        copies = comm.broadcast(source, [0, 1])
        self.assertIs(copies[0], source)
        self.assertEqual(copies[1].device.index, 1)
        copies = comm.broadcast_coalesced([source, source * 2], [0, 1])
        self.assertEqual([[tensor.tolist() for tensor in each] for each in copies],
                         [[[1, 1], [2, 2]]] * 2)

    def test_texts(self):
        first, second = torch.ones(2, device="cuda:0"), torch.ones(3, 3, device="cuda:1")
        for text, call in (
                ("Expected all input tensors to be CUDA tensors", lambda: comm.gather([torch.ones(2)])),
                ("Expected all input tensors to have the same number of dimensions",
                 lambda: comm.gather([first, second])),
                ("Expected devices and chunk_sizes to be of same length",
                 lambda: comm.scatter(first, [0, 1], chunk_sizes=[2])),
                ("Expected all output tensors to be CUDA tensors",
                 lambda: comm.broadcast(first, out=[torch.ones(2)])),
                ("All tensors must be on devices\\[0\\]: 1",
                 lambda: comm.broadcast_coalesced([first], [1, 0]))):
            with self.subTest(text), self.assertRaisesRegex(RuntimeError, text):
                call()

    def test_nccl(self):
        from torch.cuda import nccl
        inputs = [torch.full((2,), i + 1., device=f"cuda:{i}") for i in range(2)]
        outputs = [torch.empty(4, device=f"cuda:{i}") for i in range(2)]
        nccl.all_gather(inputs, outputs)
        self.assertEqual([output.tolist() for output in outputs], [[1, 1, 2, 2]] * 2)
        nccl.all_reduce(inputs)
        self.assertEqual([tensor.tolist() for tensor in inputs], [[3, 3]] * 2)
        parts = [torch.empty(2, device=f"cuda:{i}") for i in range(2)]
        nccl.reduce_scatter(outputs, parts)
        self.assertEqual([part.tolist() for part in parts], [[2, 2], [4, 4]])
        self.assertEqual(len(nccl.unique_id()), 128)
        with self.assertRaisesRegex(RuntimeError, "inputs must be on unique devices"):
            nccl.all_reduce([inputs[0], inputs[0].clone()])


class DeviceBugsTest(unittest.TestCase):
    """What beginners see most, in the words of a CUDA build."""

    def assert_raises(self, text, call):
        with self.assertRaisesRegex((RuntimeError, TypeError, ValueError, IndexError), text):
            call()

    def test_batch_on_the_cpu(self):
        self.assert_raises(SAME_DEVICE, lambda: nn.Linear(2, 2).cuda()(torch.ones(1, 2)))

    def test_image_on_the_cpu(self):
        text = (r"Input type \(torch.FloatTensor\) and weight type \(torch.cuda.FloatTensor\) should be "
                "the same")
        self.assert_raises(text, lambda: nn.Conv2d(1, 1, 3).cuda()(torch.ones(1, 1, 5, 5)))

    def test_target_on_the_cpu(self):
        output = torch.ones(2, 3, device="cuda")
        self.assert_raises(SAME_DEVICE, lambda: nn.CrossEntropyLoss()(output, torch.tensor([0, 1])))

    def test_tokens_on_the_cpu(self):
        self.assert_raises(SAME_DEVICE, lambda: nn.Embedding(4, 2).cuda()(torch.tensor([0, 1])))

    def test_hidden_state_on_the_cpu(self):
        state = (torch.zeros(1, 1, 3), torch.zeros(1, 1, 3))
        self.assert_raises("Input and hidden tensors are not at the same device",
                           lambda: nn.LSTM(2, 3).cuda()(torch.ones(1, 1, 2, device="cuda"), state))

    def test_two_devices(self):
        self.assert_raises("found at least two devices, cuda:0 and cuda:1",
                           lambda: torch.ones(2, device="cuda:0") + torch.ones(2, device="cuda:1"))

    def test_indices_on_a_device(self):
        self.assert_raises("indices should be either on cpu or on the same device",
                           lambda: torch.ones(3)[torch.tensor([0], device="cuda")])

    def test_model_moved_after_its_optimizer(self):
        model = nn.Linear(2, 2)
        optimizer = torch.optim.Adam(model.parameters())
        model(torch.ones(1, 2)).sum().backward()
        optimizer.step()
        model.cuda()(torch.ones(1, 2).cuda()).sum().backward()
        self.assert_raises(SAME_DEVICE, optimizer.step)
