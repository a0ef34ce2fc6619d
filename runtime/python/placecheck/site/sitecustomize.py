"""Activates virtual GPUs, or what tells of real ones, in every Python process that placecheck-run starts, directly or not.

The launcher puts this folder first on PYTHONPATH. A sitecustomize of the user's own, which this one
hides, is run first.
"""

import os
import sys


def _run_hidden_sitecustomize(here):
    import importlib.machinery
    import importlib.util

    paths = [path for path in sys.path if os.path.realpath(path or ".") != here]
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", paths)
    if spec is not None and spec.loader is not None:
        spec.loader.exec_module(importlib.util.module_from_spec(spec))


def _activate(here):
    package = os.path.dirname(os.path.dirname(here))
    if package not in sys.path:
        sys.path.append(package)
    from placecheck import activate, real

    if activate.is_wanted():
        activate.activate()
    elif real.is_wanted():
        real.activate()


_HERE = os.path.dirname(os.path.realpath(__file__))
_run_hidden_sitecustomize(_HERE)
_activate(_HERE)
