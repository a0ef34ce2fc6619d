"""placecheck-run --real: programs on the GPUs of this machine, with their calls of CUDA, cuBLAS and NCCL judged
before they are forwarded (runtime/cuda/real), and PyTorch's errors told where their operands came from."""

import os
from typing import Dict

from . import build, native

# Set for every process whose calls are judged.
ENVIRONMENT = "PLACECHECK_REAL_GPUS"
_REPORT = "PLACECHECK_REAL_REPORT"


def is_wanted() -> bool:
    return os.environ.get(ENVIRONMENT) == "1"


def add_preload(environment: Dict[str, str]) -> None:
    """Every process that is started from here judges its calls; those that call no CUDA pay for a library
    that is loaded and not used."""
    library = native.library_of_checkout(build.REAL_LIBRARY) or native.library_for_real_cuda()
    others = [part for part in environment.get("LD_PRELOAD", "").split(":")
              if part and part != library]
    environment["LD_PRELOAD"] = ":".join([library, *others])


def environment_for(environment: Dict[str, str], report_file) -> Dict[str, str]:
    """A copy of `environment` in which Python processes tell where operands came from."""
    result = dict(environment)
    result[ENVIRONMENT] = "1"
    if report_file is not None:
        result[_REPORT] = os.path.abspath(report_file)
    return result


def activate() -> None:
    """In a Python process, before torch is imported."""
    from . import provenance

    provenance.start_with_torch()
