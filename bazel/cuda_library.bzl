"""cuda_objects: .cu files compiled by the toolkit's nvcc, for the srcs of a cc_library."""

load("@cuda//:defs.bzl", "CUDA_ROOT", "REQUIRES_CUDA")

# Binary code for data-centre cards of today, and PTX for what else there is from 2020 on.
_ARCHITECTURES = "-gencode arch=compute_80,code=compute_80 -gencode arch=compute_90,code=sm_90"

def cuda_objects(name, src, hdrs):
    """The object file `name`.o of the source `src`, which includes `hdrs`; skipped without a toolkit."""
    native.genrule(
        name = name,
        srcs = [src] + hdrs,
        outs = [name + ".o"],
        cmd = "%s/bin/nvcc -std=c++20 -O2 %s -Xcompiler -fPIC -I. -c $(location %s) -o $@" %
              (CUDA_ROOT, _ARCHITECTURES, src),
        target_compatible_with = REQUIRES_CUDA,
    )
