"""What virtual GPUs cost: the same work on the CPU and on cuda:0, taken in turn.

    placecheck-run -- python3 runtime/python/bench/cost.py [--rounds=N] [--threads=N] [--json=FILE]

A ratio is the median of the rounds' ratios, so that a busy machine disturbs both sides alike; beside it stands the
ratio of the lower quartiles, which others disturb less. For single operators the second figure is the difference of
the quickest rounds: others' work only adds to a few microseconds. Where others keep the machine busy, it is processor
time that is taken, of all threads, and not the clock's.
"""

import argparse
import ctypes
import json
import os
import resource
import statistics
import subprocess
import sys
import time

_HERE = os.path.dirname(os.path.abspath(__file__))
_PLACES = ("cpu", "cuda:0")
# Above this load the machine is busy with others' work.
_BUSY_LOAD = 1.5
_clock = time.process_time if os.getloadavg()[0] > _BUSY_LOAD else time.perf_counter


def _cnn(device):
    import torch
    from torch import nn

    torch.manual_seed(0)
    net = nn.Sequential(nn.Conv2d(1, 10, 5), nn.MaxPool2d(2), nn.ReLU(), nn.Conv2d(10, 20, 5),
                        nn.MaxPool2d(2), nn.ReLU(), nn.Flatten(), nn.Linear(320, 50), nn.ReLU(),
                        nn.Linear(50, 10)).to(device)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.5)
    images = torch.randn(64, 1, 28, 28).to(device)
    labels = torch.randint(0, 10, (64,)).to(device)
    return net, optimizer, lambda: nn.functional.cross_entropy(net(images), labels)


def _transformer(device):
    import torch
    from torch import nn

    torch.manual_seed(0)
    layer = nn.TransformerEncoderLayer(64, 4, 128, dropout=0.0, batch_first=True)
    net = nn.Sequential(nn.Embedding(100, 64), nn.TransformerEncoder(layer, 2),
                        nn.Linear(64, 100)).to(device)
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
    tokens = torch.randint(0, 100, (16, 32)).to(device)
    return net, optimizer, lambda: nn.functional.cross_entropy(net(tokens).flatten(0, 1),
                                                               tokens.flatten())


def _large_mlp(device):
    """Most of the process's memory is that of its tensors."""
    import torch
    from torch import nn

    torch.manual_seed(0)
    net = nn.Sequential(*(nn.Linear(2048, 2048) for _ in range(12))).to(device)
    # On GPUs PyTorch chooses the form for lists of tensors, which takes a copy of them all.
    optimizer = torch.optim.Adam(net.parameters(), foreach=False)
    batch = torch.randn(64, 2048).to(device)
    return net, optimizer, lambda: net(batch).square().mean()


def _step_of(model, device):
    net, optimizer, loss_of = model(device)

    def step():
        optimizer.zero_grad()
        loss = loss_of()
        loss.backward()
        optimizer.step()
        return loss

    return step


def _seconds(work, times):
    start = _clock()
    for _ in range(times):
        work()
    return (_clock() - start) / times


def _rounds(works, rounds, times):
    """Seconds of the work on each place, round by round; which comes first changes."""
    found = []
    for work in works:
        _seconds(work, max(1, times // 4))
    for i in range(rounds):
        order = (0, 1) if i % 2 == 0 else (1, 0)
        seconds = [0.0, 0.0]
        for place in order:
            seconds[place] = _seconds(works[place], times)
        found.append(seconds)
    return found


def _low(found, place):
    return statistics.quantiles([seconds[place] for seconds in found], n=4)[0]


def _best(found, place):
    return min(seconds[place] for seconds in found)


def _steps(rounds):
    rows = []
    for name, model in (("small CNN", _cnn), ("small transformer", _transformer)):
        found = _rounds([_step_of(model, device) for device in _PLACES], rounds, times=20)
        rows.append({"what": f"step of a {name}", "unit": "ms",
                     "cpu": 1e3 * statistics.median(host for host, _ in found),
                     "cuda:0": 1e3 * statistics.median(virtual for _, virtual in found),
                     "ratio": statistics.median(virtual / host for host, virtual in found),
                     "ratio_of_low": _low(found, 1) / _low(found, 0)})
    return rows


def _operators(rounds):
    import torch

    def works(device):
        small, square = torch.ones(16, device=device), torch.ones(8, 8, device=device)
        wide, weight = torch.ones(8, 64, device=device), torch.ones(64, device=device)
        return {"add": lambda: small + small, "mm": lambda: square.mm(square),
                "layer_norm": lambda: torch.nn.functional.layer_norm(wide, (64,), weight, weight),
                "view": lambda: small.view(4, 4)}

    rows = []
    sides = [works(device) for device in _PLACES]
    with torch.no_grad():
        for name in sides[0]:
            found = _rounds([side[name] for side in sides], rounds, times=2000)
            rows.append({"what": name, "unit": "us",
                         "cpu": 1e6 * statistics.median(host for host, _ in found),
                         "cuda:0": 1e6 * statistics.median(virtual for _, virtual in found),
                         "added": 1e6 * statistics.median(virtual - host for host, virtual in found),
                         "added_to_best": 1e6 * (_best(found, 1) - _best(found, 0))})
    return rows


def _child(argument, environment=None):
    done = subprocess.run([sys.executable, os.path.abspath(__file__), argument],
                          capture_output=True, text=True, env=environment, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def _print_peak_memory(device):
    import torch

    torch.set_num_threads(1)
    step = _step_of(_large_mlp, device)
    for _ in range(3):
        step()
    print(json.dumps(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024))


def _memory():
    # Kernels count in larger pages at times: the least of some runs.
    host, virtual = (min(_child(f"--peak-memory={device}") for _ in range(4)) for device in _PLACES)
    return [{"what": "most memory of a process that trains 50 M parameters", "unit": "MiB", "cpu": host,
             "cuda:0": virtual, "ratio": virtual / host}]


def _lend_libraries():
    """A CUDA wheel without NVIDIA's packages cannot be imported alone: with the stand-ins it can. Returns
    the seconds that this took but for PyTorch's own libraries."""
    start = time.process_time()
    sys.path.insert(0, os.path.dirname(_HERE))
    from placecheck import native, torch_install

    torch = torch_install.find()
    own = 0.0
    for path in native.library_paths(torch) if torch.is_cuda_build else []:
        before = time.process_time()
        ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL)
        if path.startswith(torch.folder):
            own += time.process_time() - before
    return time.process_time() - start - own


def _print_import():
    """Seconds of processor time from the start of the process until torch is imported."""
    lent = _lend_libraries() if os.environ.get("PLACECHECK_VIRTUAL_GPUS") != "1" else 0.0
    import torch  # noqa: F401
    print(json.dumps(time.process_time() - lent))


def _start(rounds):
    bare = {name: value for name, value in os.environ.items() if name != "PLACECHECK_VIRTUAL_GPUS"}
    found = [(_child("--import", bare), _child("--import")) for _ in range(rounds)]
    return [{"what": "import of torch", "unit": "s", "cpu": statistics.median(host for host, _ in found),
             "cuda:0": statistics.median(virtual for _, virtual in found),
             "added": statistics.median(virtual - host for host, virtual in found)}]


def _print_table(rows):
    print(f"{'':<58}{'cpu':>9}{'cuda:0':>9}  of medians; of lower quartiles, or of the quickest")
    for row in rows:
        figure = (f"{row['ratio']:.2f} x" if "ratio" in row
                  else f"{row['added']:+.2f} {row['unit']}")
        if "ratio_of_low" in row:
            figure += f"  {row['ratio_of_low']:.2f} x"
        if "added_to_best" in row:
            figure += f"  {row['added_to_best']:+.2f} {row['unit']}"
        print(f"{row['what'] + ', ' + row['unit']:<58}{row['cpu']:>9.2f}{row['cuda:0']:>9.2f}  {figure}")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=25)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--peak-memory", help=argparse.SUPPRESS)
    parser.add_argument("--import", dest="imports", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.imports:
        return _print_import()
    if options.peak_memory:
        return _print_peak_memory(options.peak_memory)
    import torch

    if not torch.cuda.is_available():
        parser.error("there is no GPU, not even a virtual one: start it with placecheck-run")
    torch.set_num_threads(options.threads)
    rows = [*_steps(options.rounds), *_operators(options.rounds), *_memory(),
            *_start(max(3, options.rounds // 5))]
    kind = "processor time" if _clock is time.process_time else "time"
    print(f"PyTorch {torch.__version__}, {options.threads} thread(s), {kind}")
    _print_table(rows)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(rows, file, indent=1)
    return None


if __name__ == "__main__":
    main()
