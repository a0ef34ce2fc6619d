"""pytest --virtual-gpus=2: tests see virtual GPUs.

Found by itself where placecheck is installed; in a checkout, `pytest -p placecheck.pytest_plugin`.
"""

import os
import sys


def pytest_addoption(parser):
    group = parser.getgroup("placecheck", "virtual GPUs")
    group.addoption("--virtual-gpus", type=int, default=None, metavar="N",
                    help="run the tests with N virtual GPUs; no GPU is needed")


def pytest_load_initial_conftests(early_config):
    """Before any conftest.py can import torch."""
    count = early_config.known_args_namespace.virtual_gpus
    if count is None:
        return
    from . import activate, run

    # Processes that tests start, workers of pytest-xdist among them, inherit the GPUs.
    os.environ.update(run.virtual_environment(dict(os.environ), count, None, None))
    activate.activate()


# Plugins are asked in the order in which they came: before others that may import torch.
pytest_load_initial_conftests.pytest_impl = {"tryfirst": True}


def pytest_report_header(config):
    count = config.known_args_namespace.virtual_gpus
    if count is None or "torch" not in sys.modules:
        return None if count is None else f"placecheck: {count} virtual GPUs"
    return f"placecheck: {count} virtual GPUs, torch {sys.modules['torch'].__version__}"
