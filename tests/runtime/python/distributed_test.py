"""torch.distributed on virtual GPUs: collectives, training strategies, and mistakes, each as the
processes that a user would start.

Needs a PyTorch from 2.6 on (`PYTHON`, this interpreter where it is not set). `PLACECHECK_RUN` is the
command that gives a program its virtual GPUs (`python -m placecheck.run --gpus=N --`, from runtime/python).
"""

import os
import re
import shlex
import socket
import subprocess
import sys
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAMS = os.path.join(HERE, "distributed")
PACKAGE = os.path.normpath(os.path.join(HERE, "..", "..", "..", "runtime", "python"))
PYTHON = os.environ.get("PYTHON", sys.executable)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def launcher(gpus: int):
    command = os.environ.get("PLACECHECK_RUN")
    if command is not None:
        return shlex.split(command)
    return [PYTHON, "-m", "placecheck.run", f"--gpus={gpus}", "--"]


def environment(gpus: int, **more):
    result = dict(os.environ, PLACECHECK_VIRTUAL_DEVICES=str(gpus), OMP_NUM_THREADS="1", **more)
    result["PYTHONPATH"] = os.pathsep.join(filter(None, (PACKAGE, os.environ.get("PYTHONPATH"))))
    return result


class Outcome:
    """What one rank wrote, and how it ended."""

    def __init__(self, process, timeout):
        self.output, _ = process.communicate(timeout=timeout)
        self.code = process.returncode


def run_ranks(program, *arguments, ranks=2, timeout=180, gpus=None, **variables):
    """One process a rank, as torchrun starts them but left alone when another one fails."""
    common = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(free_port()), "WORLD_SIZE": str(ranks),
              "LOCAL_WORLD_SIZE": str(ranks), **variables}
    gpus = gpus or ranks
    processes = [
        subprocess.Popen([*launcher(gpus), PYTHON, os.path.join(PROGRAMS, program), *arguments],
                         env=environment(gpus, RANK=str(rank), LOCAL_RANK=str(rank), **common),
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        for rank in range(ranks)]
    try:
        return [Outcome(process, timeout) for process in processes]
    finally:
        for process in processes:
            process.kill()


def losses(outcomes):
    return [float(value) for value in re.findall(r"^loss (\S+)$", outcomes[0].output, re.M)]


class CollectivesTest(unittest.TestCase):
    def check(self, ranks, **variables):
        outcomes = run_ranks("collectives.py", ranks=ranks, **variables)
        for outcome in outcomes:
            self.assertEqual(outcome.code, 0, outcome.output)
        self.assertEqual(outcomes[0].output.count("ok "), 7, outcomes[0].output)

    def test_two_ranks(self):
        self.check(2)

    def test_three_ranks(self):
        self.check(3)

    def test_bound_to_devices(self):
        self.check(2, BIND="1")


class TrainingTest(unittest.TestCase):
    """Losses on two virtual GPUs are those of two processes on the CPU with gloo."""

    def check(self, strategy, *arguments, delta=2e-6):
        virtual = run_ranks("train.py", strategy, *arguments)
        for outcome in virtual:
            self.assertEqual(outcome.code, 0, outcome.output)
        host = run_ranks("train.py", strategy, "--device=cpu", CUDA_VISIBLE_DEVICES="")
        self.assertEqual(host[0].code, 0, host[0].output)
        self.assertEqual(len(losses(virtual)), 4, virtual[0].output)
        for found, expected in zip(losses(virtual), losses(host)):
            self.assertAlmostEqual(found, expected, delta=delta)

    def test_ddp(self):
        self.check("ddp")

    def test_ddp_bound_to_devices(self):
        self.check("ddp", "--bind")

    def test_ddp_with_compressed_gradients(self):
        self.check("ddp_compressed", delta=2e-2)

    def test_ddp_with_power_sgd(self):
        self.check("ddp_power_sgd", delta=1e-3)

    def test_zero_redundancy_optimizer(self):
        self.check("zero")

    def test_fsdp(self):
        self.check("fsdp")

    def test_fsdp2(self):
        self.check("fsdp2")

    def test_tensor_parallel(self):
        self.check("tensor_parallel")

    def test_under_torchrun(self):
        run = subprocess.run(
            [*launcher(2), PYTHON, "-m", "torch.distributed.run", "--nproc_per_node=2",
             f"--master_port={free_port()}", os.path.join(PROGRAMS, "train.py"), "ddp"],
            env=environment(2), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            timeout=180, check=False)
        self.assertEqual(run.returncode, 0, run.stdout)
        self.assertEqual(run.stdout.count("loss "), 4, run.stdout)


class MistakesTest(unittest.TestCase):
    """Each raises, on each rank that is there, within the deadline; none hangs."""

    def check(self, case, texts, within=60, codes=(1, 1), **variables):
        start = time.monotonic()
        outcomes = run_ranks("faults.py", case, timeout=150, gpus=2, **variables)
        seconds = time.monotonic() - start
        for rank, text in enumerate(texts):
            if text is not None:
                self.assertRegex(outcomes[rank].output, text)
        for outcome, code in zip(outcomes, codes):
            self.assertEqual(outcome.code, code, outcome.output)
        self.assertLess(seconds, within)
        return outcomes

    def check_both_lines(self, case, text):
        """Both ranks raise, and name both ranks' lines."""
        message = rf"{text}(?s:.*)rank 0: .*faults\.py:\d+\n.*rank 1: .*faults\.py:\d+"
        self.check(case, [message, message])

    def test_other_collective(self):
        self.check_both_lines("other_collective",
                              "rank 0 is in all_reduce while rank 1 is in broadcast")

    def test_other_size(self):
        self.check_both_lines("other_size", "all inputs must have the same number of elements: "
                              "3 in rank 0, 4 in rank 1")

    def test_other_dtype(self):
        self.check_both_lines("other_dtype", "all inputs and outputs must be of the same Tensor "
                              "dtype: Float in rank 0, Half in rank 1")

    def test_other_reduction(self):
        self.check_both_lines("other_reduction", "all ranks must ask for the same reduction: SUM in "
                              "rank 0, MAX in rank 1")

    def test_other_root(self):
        self.check_both_lines("other_root",
                              "all ranks must name the same root: 0 in rank 0, 1 in rank 1")

    def test_other_parts(self):
        self.check_both_lines("other_parts", "elements for rank ., which expects")

    def test_other_message(self):
        self.check_both_lines("other_message",
                              "rank 0 sends 3 Float elements to rank 1, which expects 4 Float")

    def test_one_more_collective(self):
        self.check_both_lines("one_more_collective",
                              "rank 0 is in barrier while rank 1 is in all_reduce")

    def test_same_gpu(self):
        self.check("same_gpu", [
            "Duplicate GPU detected : rank 0 and rank 1 both on CUDA device 1000",
            "Duplicate GPU detected : rank 1 and rank 0 both on CUDA device 1000"])

    def test_same_gpu_of_different_processes(self):
        outcomes = run_ranks("faults.py", "same_gpu", gpus=2, CUDA_VISIBLE_DEVICES="1")
        for outcome in outcomes:
            self.assertIn("both on CUDA device 2000", outcome.output)

    def test_tensor_on_the_host(self):
        text = "No backend type associated with device type cpu"
        self.check("cpu_tensor", [text, text])

    def test_tensor_of_a_list_on_the_host(self):
        text = "ValueError: Tensors must be CUDA and dense"
        self.check("cpu_in_list", [text, text])

    def test_tensor_of_a_list_on_another_device(self):
        text = "must all reside on the same device"
        self.check("other_device_in_list", [text, text])

    def test_short_list(self):
        text = "must match number of collective participants"
        self.check("short_list", [text, text])

    def test_changed_device(self):
        text = "rank 0 calls a collective of this group on cuda:1 for the first time"
        self.check("changed_device", [text, text])

    def test_not_the_bound_device(self):
        text = "Attempt to perform collective on tensor not on device passed to init_process_group"
        self.check("not_the_bound_device", [text, text])

    def test_gaps(self):
        self.check("gaps", ["ValueError: Tensors must be contiguous"] * 2)

    def test_wrong_output_size(self):
        self.check("wrong_output_size", ["output tensor size must be equal to world_size times"] * 2)

    def test_missing_rank(self):
        self.check("missing_rank", [
            r"rank 0 is in all_reduce at .*faults\.py:\d+, but rank 1 has not come \(the last call "
            r"seen of it: all_reduce at .*faults\.py:\d+\): the deadline of 4 s has passed",
            "rank 0 ended|rank 0 is in all_reduce|Broken pipe|Connection"],
            PLACECHECK_COLLECTIVE_TIMEOUT="4")

    def test_killed_rank(self):
        self.check("killed_rank", [
            r"rank 1 ended, or was killed, while rank 0 is in barrier at .*faults\.py:\d+", None],
            codes=(1, -9))

    def test_ended_rank(self):
        self.check("ended_rank", ["rank 1 ended, or was killed, while rank 0 is in all_reduce",
                                  "went through"], codes=(1, 0))

    def test_raised_on_one_rank(self):
        self.check("raised_on_one_rank", ["rank 1 ended, or was killed", "a mistake of rank 1"])

    def test_both_receive(self):
        text = (r"the ranks wait for each other:(?s:.*)rank 0 is in recv at .*faults\.py:\d+ and "
                r"waits for rank 1")
        outcomes = self.check("both_receive", [None, None], within=40)
        self.assertTrue(any(re.search(text, outcome.output) or "rank 1 is in recv" in outcome.output
                            for outcome in outcomes), outcomes[0].output)

    def test_rank_that_never_started(self):
        self.check("never_started", ["(?i)timed out|timeout", "went through"], codes=(1, 0),
                   PLACECHECK_COLLECTIVE_TIMEOUT="4")


if __name__ == "__main__":
    unittest.main()
