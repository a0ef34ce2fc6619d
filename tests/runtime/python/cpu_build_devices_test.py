"""torch.cuda's devices, streams, events and memory."""

import unittest

import cpu_build_testing
import torch

MIB = 1 << 20


class DevicesTest(unittest.TestCase):
    def tearDown(self):
        torch.cuda.set_device(0)

    def test_there_are_two(self):
        self.assertTrue(torch.cuda.is_available())
        self.assertEqual(torch.cuda.device_count(), 2)
        self.assertTrue(torch.backends.cuda.is_built())
        self.assertIsNotNone(torch.version.cuda)

    def test_current_device(self):
        torch.cuda.set_device(1)
        self.assertEqual(torch.ones(2, device="cuda").device, torch.device("cuda:1"))
        with torch.cuda.device(0):
            self.assertEqual(torch.cuda.current_device(), 0)
        self.assertEqual(torch.cuda.current_device(), 1)
        with torch.cuda.device_of(torch.ones(1, device="cuda:0")):
            self.assertEqual(torch.cuda.current_device(), 0)

    def test_no_such_device(self):
        for call in (lambda: torch.cuda.set_device(7),
                     lambda: torch.ones(1).to("cuda:7"),
                     lambda: torch.ones(1).cuda(7),
                     lambda: torch.cuda.synchronize(7)):
            with self.assertRaisesRegex(RuntimeError, "CUDA error: invalid device ordinal"):
                call()
        with self.assertRaisesRegex(AssertionError, "Invalid device id"):
            torch.cuda.get_device_properties(7)

    def test_properties(self):
        properties = torch.cuda.get_device_properties(1)
        self.assertEqual(torch.cuda.get_device_capability(1), (properties.major, properties.minor))
        self.assertEqual(torch.cuda.mem_get_info(1)[1], properties.total_memory)
        self.assertIn("total_memory", repr(properties))

    def test_memory_is_counted(self):
        before = torch.cuda.memory_allocated(1)
        tensor = torch.empty(4, MIB, dtype=torch.uint8, device="cuda:1")
        self.assertEqual(torch.cuda.memory_allocated(1) - before, 4 * MIB)
        del tensor
        self.assertEqual(torch.cuda.memory_allocated(1), before)
        self.assertGreaterEqual(torch.cuda.max_memory_allocated(1), before + 4 * MIB)
        torch.cuda.reset_peak_memory_stats(1)
        self.assertEqual(torch.cuda.max_memory_allocated(1), before)
        self.assertIn("Allocated memory", torch.cuda.memory_summary(1))

    def test_what_is_missing_says_so(self):
        with self.assertRaisesRegex(AttributeError, "not supported on virtual GPUs.*_cuda_nonesuch"):
            torch._C._cuda_nonesuch()
        with self.assertRaisesRegex(NotImplementedError, "not supported on virtual GPUs"):
            torch._C._cuda_memorySnapshot()


class GraphsTest(unittest.TestCase):
    def test_replay_reads_what_is_there_then(self):
        graph, x = torch.cuda.CUDAGraph(), torch.zeros(3, device="cuda:0")
        with torch.cuda.graph(graph):
            self.assertTrue(torch.cuda.is_current_stream_capturing())
            y = (x + 1).view(3, 1) * 2
        x.fill_(5)
        graph.replay()
        self.assertEqual(y.flatten().tolist(), [12] * 3)

    def test_capture_does_nothing_yet(self):
        graph, total = torch.cuda.CUDAGraph(), torch.ones(4, device="cuda:0")
        with torch.cuda.graph(graph):
            total[:2] += 1
            total.mul_(3)
        self.assertEqual(total.tolist(), [1] * 4)
        graph.replay()
        self.assertEqual(total.tolist(), [6, 6, 3, 3])

    def test_random_numbers_go_on(self):
        torch.cuda.manual_seed(5)
        expected = [torch.rand(3, device="cuda:0").tolist() for _ in range(3)]
        torch.cuda.manual_seed(5)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            drawn = torch.rand(3, device="cuda:0")
        got = []
        for _ in range(2):
            graph.replay()
            got.append(drawn.tolist())
        self.assertEqual(got + [torch.rand(3, device="cuda:0").tolist()], expected)

    def test_nothing_is_captured(self):
        with self.assertWarnsRegex(UserWarning, "The CUDA Graph is empty"):
            with torch.cuda.graph(torch.cuda.CUDAGraph()):
                pass

    def test_backward_pass(self):
        layer = torch.nn.Linear(2, 1).cuda()
        graphed = torch.cuda.make_graphed_callables(layer, (torch.ones(3, 2, device="cuda:0"),))
        graphed(torch.full((3, 2), 2., device="cuda:0")).sum().backward()
        self.assertEqual(layer.weight.grad.tolist(), [[6, 6]])

    def test_the_host_may_not_wait(self):
        for wait in (lambda: torch.ones(1, device="cuda:0").item(), torch.cuda.synchronize,
                     lambda: torch.ones(1, device="cuda:0").cpu()):
            graph, stream = torch.cuda.CUDAGraph(), torch.cuda.Stream()
            with torch.cuda.stream(stream):
                graph.capture_begin()
                with self.assertRaisesRegex(RuntimeError, "not permitted when stream is capturing"):
                    wait()
                with self.assertRaisesRegex(RuntimeError, "previous error during capture"):
                    graph.capture_end()
            with self.assertRaisesRegex(RuntimeError, "without a preceding successful capture"):
                graph.replay()

    def test_default_stream(self):
        with self.assertRaisesRegex(RuntimeError, "captured on a non-default stream"):
            torch.cuda.CUDAGraph().capture_begin()


class StreamsTest(unittest.TestCase):
    def test_current_stream(self):
        stream = torch.cuda.Stream()
        self.assertNotEqual(stream, torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            self.assertEqual(torch.cuda.current_stream(), stream)
        self.assertEqual(torch.cuda.current_stream(), torch.cuda.default_stream())

    def test_stream_of_another_device(self):
        stream = torch.cuda.Stream(device=1)
        self.assertEqual(stream.device, torch.device("cuda:1"))
        with torch.cuda.stream(stream):
            self.assertEqual(torch.cuda.current_device(), 1)
        self.assertEqual(torch.cuda.current_device(), 0)

    def test_tensors_take_streams(self):
        stream = torch.cuda.Stream()
        torch.ones(2, device="cuda").record_stream(stream)
        torch.cuda.current_stream().wait_stream(stream)
        stream.synchronize()
        self.assertTrue(stream.query())

    def test_events_measure_time(self):
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        square = torch.ones(200, 200, device="cuda")
        for _ in range(20):
            square = square @ square / 200
        end.record()
        end.synchronize()
        self.assertGreater(start.elapsed_time(end), 0)

    def test_events_that_do_not_fit(self):
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        with self.assertRaisesRegex(RuntimeError, "Both events must be recorded"):
            start.elapsed_time(end)
        with self.assertRaisesRegex(RuntimeError, "Event device 0 does not match recording stream"):
            start.record(torch.cuda.default_stream(1))


class EnvironmentTest(unittest.TestCase):
    """In processes of their own: the environment is read once."""

    def test_visible_devices(self):
        for visible, expected in (("1", "True 1"), ("0,9,1", "True 1")):
            with self.subTest(visible=visible):
                printed = cpu_build_testing.run_program(
                    "print(torch.cuda.is_available(), torch._C._cuda_getDeviceCount())",
                    CUDA_VISIBLE_DEVICES=visible)
                self.assertEqual(printed.strip(), expected)

    def test_without_devices(self):
        printed = cpu_build_testing.run_program(
            "print(torch.cuda.is_available(), torch.cuda.device_count()); torch.ones(1).cuda()",
            CUDA_VISIBLE_DEVICES="")
        self.assertIn("False 0", printed)
        self.assertIn("RuntimeError: No CUDA GPUs are available", printed)

    def test_fork_after_use(self):
        printed = cpu_build_testing.run_program("""
import os
torch.ones(1).cuda()
if os.fork() == 0:
    for use in (lambda: torch.ones(1).cuda(), lambda: torch.cuda.set_device(1) or torch.cuda.init()):
        try:
            use()
        except RuntimeError as error:
            print("raised:", error, flush=True)
    os._exit(0)
os.wait()
print(torch.ones(1).cuda().device)
""")
        self.assertEqual(printed.count("raised: Cannot re-initialize CUDA in forked subprocess"), 2, printed)
        self.assertTrue(printed.endswith("cuda:0\n"), printed)

    def test_fork_before_use(self):
        printed = cpu_build_testing.run_program("""
import os
torch.cuda.device_count()
if os.fork() == 0:
    print(torch.ones(1).cuda().device, flush=True)
    os._exit(0)
os.wait()
""")
        self.assertEqual(printed, "cuda:0\n")
