"""Runs PyTorch's own operator database on virtual GPUs and compares with the CPU.

For each entry of torch.testing's op_db and each type that a GPU supports, a few of the entry's
samples are made on cuda:1 and run there and on the CPU, forward and, where the entry has it,
backward. Needs a torch that has virtual GPUs, numpy and expecttest:

    placecheck-run -- python3 tests/runtime/python/opinfo_sweep.py --report=sweep.json

Prints a table of counts by type and the reason of each failure. The entries run in a child process
that is started anew after a crash or a hang, so that one entry costs no other its result.
"""
import argparse
import collections
import json
import os
import selectors
import subprocess
import sys

DEVICE = "cuda:1"
# For the import of the database, on a busy machine.
START_SECONDS = 900
# The types whose name ends an entry's line.
TYPES = ("float32", "float16", "bfloat16", "int64")
TOLERANCE = {"float32": 1e-4, "float16": 1e-2, "bfloat16": 5e-2}
# Drawn values differ; their shape, type and place are compared.
RANDOM = ("rand", "dropout", "empty", "multinomial", "normal", "bernoulli", "uniform",
          "exponential", "cauchy", "geometric", "poisson", "rrelu", "fractional_max_pool",
          "log_normal", "resize")
# Results are right up to signs, order or phase: their shapes are compared.
AMBIGUOUS = ("svd", "eig", "linalg.qr", "qr", "pca_lowrank", "lobpcg", "linalg.lu",
             "unique", "argsort", "sort", "topk", "geqrf", "ormqr", "lstsq", "matrix_rank",
             # It reads beside the view, where a copy of the sample has nothing.
             "as_strided.partial_views")


def entries():
    from torch.testing._internal.common_methods_invocations import op_db
    return sorted(op_db, key=name_of)


def name_of(op):
    return op.name + ("." + op.variant_test_name if op.variant_test_name else "")


def moved(value, device, dtype=None):
    """`value` with its tensors on `device`; those of a floating type in `dtype`, if one is given."""
    import torch
    if isinstance(value, torch.Tensor):
        result = value.detach().to(device)
        if dtype is not None and result.is_floating_point():
            result = result.to(dtype)
        return result.requires_grad_(value.requires_grad)
    if isinstance(value, torch.device):
        return torch.device(device)
    if isinstance(value, str) and value == DEVICE:
        return device
    if dtype is not None and isinstance(value, torch.dtype) and value.is_floating_point:
        return dtype
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(moved(item, device, dtype) for item in value))
    if isinstance(value, (list, tuple)):
        return type(value)(moved(item, device, dtype) for item in value)
    if isinstance(value, dict):
        return {key: moved(item, device, dtype) for key, item in value.items()}
    return value


def tensors_in(value):
    import torch
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from tensors_in(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from tensors_in(item)


def run(op, sample):
    return op(sample.input, *sample.args, **sample.kwargs)


def gradients(output, sample):
    """Gradients of the sample's leaves for a gradient of ones; none where nothing can be derived."""
    import torch
    leaves = [tensor for part in (sample.input, sample.args, sample.kwargs)
              for tensor in tensors_in(part) if tensor.requires_grad]
    outputs = [tensor for tensor in tensors_in(output) if tensor.requires_grad]
    if not leaves or not outputs:
        return []
    return torch.autograd.grad(outputs, leaves, [torch.ones_like(o) for o in outputs],
                               allow_unused=True)


def compare(expected, actual, tolerance, has_values, what):
    """Raises AssertionError where a result differs in place, type, shape or, if asked, values."""
    import torch
    if not isinstance(expected, torch.Tensor):
        if isinstance(expected, (list, tuple)):
            assert len(expected) == len(actual), what + ": another number of results"
            for one, other in zip(expected, actual):
                compare(one, other, tolerance, has_values, what)
        return
    assert isinstance(actual, torch.Tensor), what + ": no tensor"
    assert str(actual.device) == DEVICE, what + " is on " + str(actual.device)
    assert actual.layout == expected.layout, what + " has another layout"
    if has_values:
        assert actual.shape == expected.shape, what + " has another shape"
    if not has_values or expected.layout != torch.strided:
        return
    if actual.dtype in (torch.float16, torch.bfloat16) and expected.is_floating_point():
        expected = expected.to(actual.dtype)  # what the CPU computed in float may be too large
    wide = torch.complex128 if expected.is_complex() else torch.float64
    torch.testing.assert_close(actual.detach().cpu().to(wide), expected.detach().to(wide),
                               rtol=tolerance, atol=tolerance, equal_nan=True, check_stride=False)


class Samples:
    """Samples of one entry in one type, and what the CPU makes of them."""

    def __init__(self, op, dtype, has_gradients, count):
        import itertools
        self.op, self.dtype, self.has_gradients = op, dtype, has_gradients
        made = op.sample_inputs(DEVICE, dtype, requires_grad=has_gradients)
        self.samples = list(itertools.islice(made, count))

    def expected(self, sample):
        """The CPU's result and gradients; in float where it lacks the type, None where it fails."""
        import torch
        from torch.testing._internal.opinfo.core import SampleInput
        for dtype in (None, torch.float32):
            try:
                host = SampleInput(moved(sample.input, "cpu", dtype),
                                   args=moved(sample.args, "cpu", dtype),
                                   kwargs=moved(sample.kwargs, "cpu", dtype))
                output = run(self.op, host)
                return output, gradients(output, host) if self.has_gradients else []
            except Exception:  # what fails on the CPU, too, is no finding about the devices
                if dtype is None and self.dtype in (torch.float16, torch.bfloat16):
                    continue
                return None
        return None


def check(op, type_name, count):
    """"passed", "not applicable" or the reason of a failure."""
    import torch
    dtype = getattr(torch, type_name)
    if dtype not in op.supported_dtypes("cuda"):
        return "not applicable"
    has_gradients = (op.supports_autograd and
                     dtype in op.supported_backward_dtypes("cuda"))
    samples = Samples(op, dtype, has_gradients, count)
    name = name_of(op)
    has_values = not any(word in name for word in RANDOM + AMBIGUOUS)
    tolerance = TOLERANCE.get(type_name, 0)
    seen = 0
    for sample in samples.samples:
        expected = samples.expected(sample)
        output = None
        try:
            output = run(op, sample)
            actual_gradients = gradients(output, sample) if has_gradients else []
        except Exception:
            if expected is None:
                continue
            raise
        if expected is None:
            continue
        seen += 1
        compare(expected[0], output, tolerance, has_values, "a result")
        compare(list(expected[1]), list(actual_gradients), tolerance * 10, has_values,
                "a gradient")
    return "passed" if seen else "not applicable"


def worker(first, names, types, count):
    """Prints a line before and a line after each entry and type."""
    import warnings
    warnings.simplefilter("ignore")
    import torch
    assert torch.cuda.device_count() >= 2, "needs a torch with two virtual GPUs"
    torch.set_num_threads(1)
    jobs = [(op, name) for op in entries() for name in types
            if not names or name_of(op) in names]
    print(json.dumps({"jobs": [[name_of(op), name] for op, name in jobs]}), flush=True)
    for index in range(first, len(jobs)):
        op, type_name = jobs[index]
        print(json.dumps({"begin": index}), flush=True)
        try:
            torch.manual_seed(0)
            result = check(op, type_name, count)
        except Exception as error:
            result = type(error).__name__ + ": " + " ".join(str(error).split())[:240]
        print(json.dumps({"end": index, "result": result}), flush=True)


class Child:
    """The worker process, read line by line with a time limit."""

    def __init__(self, arguments, first):
        self.process = subprocess.Popen(
            [sys.executable, os.path.abspath(__file__), "--worker", str(first)] + arguments,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.selector = selectors.DefaultSelector()
        self.selector.register(self.process.stdout, selectors.EVENT_READ)

    def line(self, seconds):
        """The next object; None at the end of the process, or when the time is over."""
        while self.selector.select(seconds):
            text = self.process.stdout.readline()
            if not text:
                return None
            try:
                return json.loads(text)
            except ValueError:
                continue  # what an operator prints
        return None

    def stop(self):
        self.process.kill()
        self.process.wait()


def sweep(arguments, seconds):
    results, jobs, first = {}, None, 0
    while jobs is None or first < len(jobs):
        child = Child(arguments, first)
        running = None
        while True:
            line = child.line(START_SECONDS if running is None else seconds)
            if line is None:
                break
            if "jobs" in line:
                jobs = line["jobs"]
            elif "begin" in line:
                running = line["begin"]
            else:
                results[tuple(jobs[line["end"]])] = line["result"]
                first, running = line["end"] + 1, None
        child.stop()
        if jobs is None:
            raise SystemExit("the worker did not start: is this a torch with virtual GPUs?")
        if running is not None:
            code = child.process.returncode
            results[tuple(jobs[running])] = "no end" if code == -9 else "ended with %d" % code
            first = running + 1
        elif first < len(jobs):
            raise SystemExit("the worker ended between two entries")
    return results


def print_table(results, types):
    print("%-10s %8s %8s %8s %8s" % ("type", "entries", "passed", "failed", "share"))
    for name in types:
        counts = collections.Counter(
            result if result in ("passed", "not applicable") else "failed"
            for (_, type_name), result in results.items() if type_name == name)
        runs = counts["passed"] + counts["failed"]
        print("%-10s %8d %8d %8d %7.1f%%" % (name, runs, counts["passed"], counts["failed"],
                                             100.0 * counts["passed"] / max(runs, 1)))
    for (name, type_name), result in sorted(results.items()):
        if result not in ("passed", "not applicable"):
            print("  %s %s: %s" % (name, type_name, result))


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--types", default=",".join(TYPES))
    parser.add_argument("--entries", default="", help="names, separated by commas; all")
    parser.add_argument("--samples", type=int, default=3, help="of each entry")
    parser.add_argument("--seconds", type=float, default=60, help="for one entry")
    parser.add_argument("--report", help="a JSON file of all results")
    parser.add_argument("--worker", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    types = options.types.split(",")
    if options.worker is not None:
        names = set(options.entries.split(",")) if options.entries else set()
        worker(options.worker, names, types, options.samples)
        return
    arguments = ["--types", options.types, "--entries", options.entries,
                 "--samples", str(options.samples)]
    results = sweep(arguments, options.seconds)
    print_table(results, types)
    if options.report:
        with open(options.report, "w") as file:
            json.dump([[name, type_name, result]
                       for (name, type_name), result in sorted(results.items())], file, indent=1)


if __name__ == "__main__":
    main()
