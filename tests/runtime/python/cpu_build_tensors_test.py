"""Tensors, their types, generators and storages on devices, from Python."""

import copy
import io
import pickle
import tempfile
import unittest

import cpu_build_testing
import torch


class TensorsTest(unittest.TestCase):
    def test_made_on_devices(self):
        for tensor in (torch.tensor([1., 2.], device="cuda:1"), torch.ones(2).cuda(1),
                       torch.ones(2).to("cuda:1"), torch.arange(2, device="cuda:1"),
                       torch.zeros_like(torch.ones(2, device="cuda:1")),
                       torch.ones(1, device="cuda:1").new_zeros(3)):
            self.assertEqual(tensor.device, torch.device("cuda:1"))
        self.assertIn("device='cuda:1'", repr(torch.ones(2, device="cuda:1")))

    def test_read_by_the_host(self):
        tensor = torch.arange(3, device="cuda")
        self.assertEqual(tensor.tolist(), [0, 1, 2])
        self.assertEqual(tensor[2].item(), 2)
        text = "can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu\\(\\)"
        with self.assertRaisesRegex(TypeError, text):
            tensor.numpy()

    def test_pinned_memory(self):
        pinned = torch.ones(2).pin_memory()
        self.assertTrue(pinned.is_pinned())
        self.assertFalse(torch.ones(2).is_pinned())
        self.assertTrue(torch.empty(2, pin_memory=True).is_pinned())
        with self.assertRaisesRegex(RuntimeError, "only dense CPU tensors can be pinned"):
            torch.ones(2, device="cuda").pin_memory()

    def test_legacy_types(self):
        tensor = torch.cuda.FloatTensor(2, 3)
        self.assertEqual((tensor.device.type, tensor.shape), ("cuda", (2, 3)))
        self.assertIsInstance(tensor, torch.cuda.FloatTensor)
        self.assertNotIsInstance(tensor, torch.cuda.LongTensor)
        self.assertNotIsInstance(tensor.cpu(), torch.cuda.FloatTensor)
        self.assertEqual(torch.cuda.LongTensor([1, 2]).tolist(), [1, 2])
        self.assertEqual(torch.ones(2).type(torch.cuda.DoubleTensor).type(), "torch.cuda.DoubleTensor")
        self.assertTrue(tensor.type(torch.FloatTensor).device.type == "cpu")

    def test_default_tensor_type(self):
        for kind in (torch.cuda.FloatTensor, "torch.cuda.DoubleTensor"):
            torch.set_default_tensor_type(kind)
            try:
                self.assertEqual(torch.ones(2).device.type, "cuda")
                self.assertEqual(torch.nn.Linear(2, 2).weight.device.type, "cuda")
            finally:
                torch.set_default_tensor_type(torch.FloatTensor)
        self.assertEqual(torch.ones(2).device.type, "cpu")

    def test_autocast_is_there(self):
        with torch.cuda.amp.autocast():
            self.assertTrue(torch.is_autocast_enabled())
        with torch.autocast("cuda", dtype=torch.bfloat16):
            product = torch.ones(2, 2, device="cuda") @ torch.ones(2, 2, device="cuda")
        self.assertEqual(product.dtype, torch.bfloat16)


class GeneratorsTest(unittest.TestCase):
    def test_seeds(self):
        torch.cuda.manual_seed_all(3)
        first = [torch.rand(2, device=f"cuda:{i}") for i in range(2)]
        torch.manual_seed(3)
        for i in range(2):
            self.assertTrue(torch.equal(torch.rand(2, device=f"cuda:{i}"), first[i]))

    def test_state(self):
        state = torch.cuda.get_rng_state(1)
        first = torch.rand(3, device="cuda:1")
        torch.cuda.set_rng_state(state, 1)
        self.assertTrue(torch.equal(torch.rand(3, device="cuda:1"), first))
        self.assertEqual(len(torch.cuda.get_rng_state_all()), 2)

    def test_own_generator(self):
        generator = torch.Generator(device="cuda").manual_seed(1)
        self.assertIsInstance(generator, torch.Generator)
        self.assertEqual(generator.device.type, "cuda")
        first = torch.rand(2, device="cuda", generator=generator)
        self.assertTrue(torch.equal(torch.rand(2, device="cuda", generator=generator.manual_seed(1)), first))
        with self.assertRaisesRegex(RuntimeError, "Expected a 'cuda' device type for generator"):
            torch.rand(2, device="cuda", generator=torch.Generator())


class StoragesTest(unittest.TestCase):
    def saved(self, legacy=False):
        file = io.BytesIO()
        torch.save({"a": torch.arange(3., device="cuda:1"), "b": torch.ones(2, device="cuda:0")}, file,
                   _use_new_zipfile_serialization=not legacy)
        file.seek(0)
        return file

    def test_load(self):
        for legacy in (False, True):
            loaded = torch.load(self.saved(legacy))
            self.assertEqual(loaded["a"].device, torch.device("cuda:1"))
            self.assertEqual(loaded["b"].device, torch.device("cuda:0"))
            self.assertEqual(loaded["a"].tolist(), [0, 1, 2])

    def test_load_elsewhere(self):
        for place, expected in (("cpu", "cpu"), ("cuda:0", "cuda:0"), ({"cuda:1": "cuda:0"}, "cuda:0"),
                                (torch.device("cuda:1"), "cuda:1"),
                                (lambda storage, location: storage.cuda(1), "cuda:1"),
                                (lambda storage, location: storage, "cpu")):
            loaded = torch.load(self.saved(), map_location=place)
            self.assertEqual(str(loaded["a"].device), expected)
            self.assertEqual(loaded["a"].tolist(), [0, 1, 2])

    def test_load_without_the_device(self):
        with tempfile.NamedTemporaryFile() as file:
            file.write(self.saved().getvalue())
            file.flush()
            program = f"torch.load({file.name!r})"
            with_one = cpu_build_testing.run_program(program, CUDA_VISIBLE_DEVICES="0")
            with_none = cpu_build_testing.run_program(program, CUDA_VISIBLE_DEVICES="")
        self.assertIn("Attempting to deserialize object on CUDA device 1 but "
                      "torch.cuda.device_count() is 1", with_one)
        self.assertIn("Attempting to deserialize object on a CUDA device but "
                      "torch.cuda.is_available() is False", with_none)

    def test_copies(self):
        tensor = torch.arange(3, device="cuda:1")
        for made in (copy.deepcopy(tensor), pickle.loads(pickle.dumps(tensor))):
            self.assertEqual(made.device, tensor.device)
            self.assertNotEqual(made.data_ptr(), tensor.data_ptr())
            self.assertTrue(torch.equal(made, tensor))

    def test_storage_moves(self):
        storage = torch.arange(3.).storage()
        moved = storage.cuda(1)
        self.assertEqual((moved.device, moved.tolist()), (torch.device("cuda:1"), [0, 1, 2]))
        self.assertEqual(moved.cpu().device.type, "cpu")
        self.assertTrue(torch.ones(2).storage().pin_memory().is_pinned())

    def test_storage_is_resized(self):
        tensor = torch.arange(4, dtype=torch.uint8, device="cuda:1")
        storage = torch.UntypedStorage(4, device="cuda:1")
        storage.copy_(torch.UntypedStorage([1, 2, 3, 4]))
        storage.resize_(2)
        self.assertEqual((storage.nbytes(), storage.tolist()), (2, [1, 2]))
        storage.resize_(6)
        self.assertEqual((storage.nbytes(), storage.tolist()[:2]), (6, [1, 2]))
        self.assertEqual(storage.device, tensor.device)
        storage.resize_(0)
        self.assertEqual(storage.nbytes(), 0)


def double_what_comes(received, done):
    tensor = received.get()
    tensor.mul_(2)
    done.put((str(tensor.device), tensor.tolist()))
    received.get()  # lives until the other process has looked


class SharingTest(unittest.TestCase):
    def test_queue_of_another_process(self):
        context = torch.multiprocessing.get_context("spawn")
        sent, done = context.SimpleQueue(), context.SimpleQueue()
        process = context.Process(target=double_what_comes, args=(sent, done))
        process.start()
        tensor = torch.arange(4., device="cuda:1")
        view = tensor[1:]
        sent.put(view)
        self.assertEqual(done.get(), ("cuda:1", [2, 4, 6]))
        self.assertEqual(tensor.tolist(), [0, 2, 4, 6])
        sent.put(None)
        process.join()
        self.assertEqual(process.exitcode, 0)


class ListsTest(unittest.TestCase):
    def test_each_result_is_where_its_tensor_is(self):
        tensors = [torch.ones(2, device=f"cuda:{i}") for i in range(2)]
        self.assertEqual([result.get_device() for result in torch._foreach_mul(tensors, 2.)], [0, 1])


class NestedTest(unittest.TestCase):
    def test_padded_batch_of_an_encoder(self):
        torch.manual_seed(0)
        layer = torch.nn.TransformerEncoderLayer(8, 2, 16, dropout=0., batch_first=True)
        encoder = torch.nn.TransformerEncoder(layer, 2).eval()
        batch = torch.rand(2, 5, 8)
        padding = torch.tensor([[False] * 5, [False] * 3 + [True] * 2])
        with torch.no_grad():
            expected = encoder(batch, src_key_padding_mask=padding)
            encoder.to("cuda:1")
            result = encoder(batch.to("cuda:1"), src_key_padding_mask=padding.to("cuda:1"))
        self.assertEqual(result.device, torch.device("cuda:1"))
        torch.testing.assert_close(result.cpu(), expected)


class HalfTest(unittest.TestCase):
    """As on GPUs, where the CPU refuses or rounds more often."""

    def test_softmax_with_a_result_in_float(self):
        values = torch.tensor([[1., 2., 4.]])
        half = values.cuda().half().requires_grad_()
        result = torch.softmax(half, -1, dtype=torch.float32)
        self.assertEqual(result.dtype, torch.float32)
        self.assertTrue(torch.allclose(result.cpu(), torch.softmax(values, -1)))
        result[0, 0].backward()
        values.requires_grad_()
        torch.softmax(values, -1)[0, 0].backward()
        self.assertEqual(half.grad.dtype, torch.float16)
        self.assertTrue(torch.allclose(half.grad.cpu().float(), values.grad, atol=1e-3))

    def test_sums_are_in_float(self):
        self.assertEqual(torch.ones(65536, device="cuda", dtype=torch.half).mean().item(), 1)
        tiny = torch.arange(25).to("cuda", torch.half).mul_(1e-6)
        self.assertGreater(tiny.norm().item(), 0)

    def test_errors_have_their_texts(self):
        with self.assertRaisesRegex(torch.cuda.CudaError, "out of memory"):
            torch.cuda.check_error(2)
        with self.assertRaisesRegex(RuntimeError, "Tried to allocate more than 1EB memory"):
            torch.empty(1 << 62, dtype=torch.int8, device="cuda")


class LimitsTest(unittest.TestCase):
    """What CUDA's kernels refuse, and the CPU's do not."""

    def test_products_of_integers(self):
        square = torch.ones(2, 2, dtype=torch.long, device="cuda")
        for product, name in ((lambda: square @ square, "addmm_cuda"),
                              (lambda: torch.bmm(square[None], square[None]), "baddbmm_cuda"),
                              (lambda: square @ square[0], "addmv_impl_cuda"),
                              (lambda: square[0].dot(square[0]), "dot")):
            with self.assertRaisesRegex(RuntimeError, f'"{name}" not implemented for \'Long\''):
                product()
        self.assertEqual((square.cpu() @ square.cpu()).tolist(), [[2, 2], [2, 2]])

    def test_operator_without_a_kernel(self):
        with self.assertRaisesRegex(NotImplementedError, "Could not run 'aten::histogram.bin_ct'"):
            torch.histogram(torch.ones(3, device="cuda"), 3)

    def test_labels_out_of_range(self):
        scores = torch.ones(2, 3, device="cuda")
        labels = torch.tensor([0, 5], device="cuda")
        text = r"CUDA error: device-side assert triggered[\s\S]*Target 5 is out of bounds"
        with self.assertRaisesRegex(RuntimeError, text):
            torch.nn.functional.cross_entropy(scores, labels)
        with self.assertRaisesRegex(IndexError, "Target 5 is out of bounds"):
            torch.nn.functional.cross_entropy(scores.cpu(), labels.cpu())

    def test_indices_out_of_range(self):
        table = torch.ones(3, 2, device="cuda")
        past = torch.tensor([3], device="cuda")
        for read in (lambda: table[past], lambda: table.index_select(0, past),
                     lambda: torch.nn.functional.embedding(past, table),
                     lambda: table.gather(0, past[:, None])):
            with self.assertRaisesRegex(RuntimeError, "device-side assert triggered"):
                read()
        # What the host knows is no assertion of a kernel.
        with self.assertRaisesRegex(IndexError, "out of bounds"):
            table[3].cpu()
        with self.assertRaisesRegex(IndexError, "Dimension out of range"):
            table.index_select(4, past)

    def test_values_that_kernels_assert(self):
        likely = torch.tensor([0.5, 1.5], device="cuda")
        for call in (lambda: torch.nn.functional.binary_cross_entropy(likely, likely),
                     lambda: torch.bernoulli(likely),
                     lambda: torch.multinomial(-likely, 4, replacement=True),
                     lambda: likely.masked_scatter(likely > 0, likely[:1])):
            with self.assertRaisesRegex(RuntimeError, "device-side assert triggered"):
                call()

    def test_driver_of_least_squares(self):
        system = torch.eye(3, device="cuda")
        with self.assertRaisesRegex(RuntimeError, "`driver` other than `gels` is not supported on CUDA"):
            torch.linalg.lstsq(system, system, driver="gelsd")
        solved = torch.linalg.lstsq(system, system, driver="GELS").solution
        self.assertTrue(torch.allclose(solved, system))

    def test_more_than_a_device_has(self):
        column = torch.ones(1 << 20, 1, device="cuda")
        with self.assertRaisesRegex(RuntimeError, "CUDA out of memory. Tried to allocate 4096.00 GiB"):
            column @ column.t()

    def test_recurrent_layer_in_eval_mode(self):
        layer = torch.nn.LSTM(2, 3).cuda().eval()
        with self.assertRaisesRegex(RuntimeError, "cudnn RNN backward can only be called in training mode"):
            layer(torch.ones(4, 1, 2, device="cuda"))[0].sum().backward()
        with torch.backends.cudnn.flags(enabled=False):
            layer(torch.ones(4, 1, 2, device="cuda"))[0].sum().backward()

    def test_second_derivative_of_a_recurrent_layer(self):
        sequence = torch.ones(4, 1, 2, device="cuda", requires_grad=True)
        layer = torch.nn.GRU(2, 3).cuda()
        output = layer(sequence)[0].sum()
        gradient, = torch.autograd.grad(output, sequence, create_graph=True)
        with self.assertRaisesRegex(RuntimeError, "Double backwards is not supported for CuDNN RNNs"):
            gradient.square().sum().backward()
        layer(sequence)[0].sum().backward()
        self.assertEqual(layer.weight_ih_l0.grad.device.type, "cuda")

    def test_results_that_differ_between_runs(self):
        image = torch.ones(1, 1, 4, 4, 4, device="cuda", requires_grad=True)
        values = torch.ones(3, device="cuda")
        torch.use_deterministic_algorithms(True)
        try:
            with self.assertRaisesRegex(RuntimeError, "avg_pool3d_backward_cuda does not have a det"):
                torch.nn.functional.avg_pool3d(image, 2).sum().backward()
            with self.assertRaisesRegex(RuntimeError, "does not have a deterministic implementation"):
                torch.histc(values)
            torch.histc(values.cpu())
        finally:
            torch.use_deterministic_algorithms(False)
        torch.histc(values)
