"""Programs on virtual GPUs that are stopped, fail in odd places, fork or run out of memory: each ends in time, with
the error that a GPU would give, and without a crash. Those of several ranks are in distributed_test.

The PyTorch is that of `PYTHON`, this interpreter where it is not set. `STARTS` is how often a process is started and
ended in test_starts_and_ends (2).
"""

import os
import signal
import subprocess
import sys
import time
import unittest

_ROOT = os.path.dirname(os.path.abspath(__file__)).rpartition("/tests/runtime/python")[0]
_PYTHON = os.environ.get("PYTHON", sys.executable)

_HOOKS = """\
import torch

class Raising(torch.autograd.Function):
    @staticmethod
    def forward(context, x): return x * 2
    @staticmethod
    def backward(context, gradient): raise ValueError('backward of a function')

def raising(text):
    def hook(*_): raise ValueError(text)
    return hook

def model_with(register):
    model = torch.nn.Linear(4, 4).cuda(1)
    register(model)
    return lambda: model(torch.ones(2, 4, device='cuda:1')).sum().backward()

def of_gradient():
    x = torch.ones(2, device='cuda:1', requires_grad=True)
    x.register_hook(raising('hook of a gradient'))
    (x * 2).sum().backward()

for work in (of_gradient,
             lambda: Raising.apply(torch.ones(2, device='cuda:1', requires_grad=True)).sum().backward(),
             model_with(lambda model: model.register_forward_hook(raising('forward hook'))),
             model_with(lambda model: model.register_full_backward_hook(raising('backward hook')))):
    for _ in range(3):
        try: work()
        except ValueError as error: print(error, flush=True)
w = torch.ones(3, device='cuda:1', requires_grad=True)
(w * 3).sum().backward()
print(w.grad.sum().item())
"""

_MEMORY = """\
import torch

model = torch.nn.Sequential(*(torch.nn.Linear(512, 512) for _ in range(4))).cuda()
kept, failures = [], 0
for step in range(40):
    try:
        kept.append(torch.ones(2**20, device='cuda'))
        model(torch.ones(64, 512, device='cuda')).sum().backward()
    except RuntimeError as error:
        assert 'CUDA out of memory' in str(error), error
        failures += 1
        kept.clear()
        torch.cuda.empty_cache()
print(failures > 0, torch.isfinite(model[0].weight.grad).all().item())
"""

_FORK = """\
import os, torch

torch.ones(1).cuda()
child = os.fork()
if child == 0:
    try: torch.ones(1).cuda()
    except RuntimeError as error: print(str(error).split('.')[0], flush=True)
    print(torch.ones(2).sum().item(), flush=True)
    os._exit(0)
print(os.waitpid(child, 0)[1], torch.ones(1).cuda().device)
"""

_THREADS = """\
import threading, torch

def train(device, found, place):
    x = torch.arange(12.0).view(3, 4).to(device)
    w = torch.zeros(4, 1, device=device, requires_grad=True)
    for _ in range(100):
        loss = (x @ w - 1).square().mean()
        loss.backward()
        with torch.no_grad():
            w -= 1e-3 * w.grad
            w.grad = None
    assert w.device == torch.device(device)
    found[place] = loss.item()

found = [None] * 8
threads = [threading.Thread(target=train, args=(f'cuda:{i % 2}', found, i)) for i in range(8)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(len(set(found)), torch.cuda.current_device())
"""

_BUSY = """\
import torch

w = torch.ones(256, 256, device='cuda', requires_grad=True)
print('started', flush=True)
while True:
    (w @ w).sum().backward()
"""


class FaultsTest(unittest.TestCase):

    def start(self, program, *options):
        environment = {**os.environ, "OMP_NUM_THREADS": "1"}
        if "PYTHON" not in os.environ:
            environment["PLACECHECK_LIBRARIES"] = os.path.join(_ROOT, "runtime/torch")
        return subprocess.Popen(
            [_PYTHON, os.path.join(_ROOT, "runtime/python/placecheck_run.py"), "--gpus=2", *options, "--", _PYTHON,
             "-c", program],
            env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def outcome(self, program, *options):
        """What the program printed, and its exit code."""
        child = self.start(program, *options)
        try:
            output, _ = child.communicate(timeout=200)
        finally:
            child.kill()
        return output, child.returncode

    def test_exceptions_in_hooks(self):
        output, code = self.outcome(_HOOKS)
        self.assertEqual(code, 0, output)
        for text in ("hook of a gradient", "backward of a function", "forward hook", "backward hook"):
            self.assertEqual([line for line in output.splitlines() if line.strip() == text], [text] * 3, output)
        self.assertTrue(output.endswith("\n9.0\n"), output)

    def test_out_of_memory_in_the_middle(self):
        self.assertEqual(self.outcome(_MEMORY, "--memory=48MiB"), ("True True\n", 0))

    def test_fork_after_use(self):
        output, code = self.outcome(_FORK)
        self.assertEqual(code, 0, output)
        self.assertEqual(output, "Cannot re-initialize CUDA in forked subprocess\n2.0\n0 cuda:0\n")

    def test_threads(self):
        self.assertEqual(self.outcome(_THREADS), ("1 0\n", 0))

    def test_signals_end_it(self):
        # A shell that starts a job in the background without job control lets it ignore SIGINT, and so its children.
        inherited = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, inherited)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
            child = self.start(_BUSY)
            self.assertEqual(child.stdout.readline(), "started\n")
            time.sleep(0.2)
            child.send_signal(number)
            try:
                child.communicate(timeout=200)
            finally:
                child.kill()
            self.assertEqual(child.returncode, -number)

    def test_starts_and_ends(self):
        program = "import torch; x = torch.ones(2, device='cuda', requires_grad=True); x.sum().backward()"
        for _ in range(int(os.environ.get("STARTS", "2"))):
            self.assertEqual(self.outcome(program), ("", 0))

    def test_error_of_a_backward_pass_ends_it(self):
        """The thread of the backward pass is still there when Python ends."""
        program = """\
import torch
x = torch.ones(2, device='cuda', requires_grad=True)
x.register_hook(lambda _: torch.ones(2, device='cuda') + torch.ones(2))
(x * 2).sum().backward()
"""
        for _ in range(2):
            output, code = self.outcome(program)
            self.assertEqual(code, 1, output)
            self.assertIn("Expected all tensors to be on the same device", output)
            self.assertNotIn("terminate", output)


if __name__ == "__main__":
    unittest.main()
