"""cuda_host_object: the host's half of a .cu file, compiled by Clang without the CUDA toolkit."""

load("@llvm//:defs.bzl", "LLVM_ROOT")

# Clang announces kernels and variables to the runtime only beside code for devices: an empty one.
_HOST_ONLY = " ".join([
    "-x cuda --cuda-host-only -nocudainc -nocudalib --cuda-path=/nonexistent",
    "-Xclang -target-sdk-version=12.0",
    "-Xclang -fcuda-include-gpubinary -Xclang /dev/null",
])

def cuda_host_object(name, src, hdrs = [], copts = [], testonly = False):
    """The object file `name`.o of `src`, which includes `hdrs`, for programs over //runtime/cuda:virtual.

    Lines can be found in it by address, and its authors' hands raise no warnings.
    """
    native.genrule(
        name = name,
        testonly = testonly,
        srcs = [src, "//runtime/cuda:header_files"] + hdrs,
        outs = [name + ".o"],
        cmd = ("%s/bin/clang++ %s -std=c++20 -O0 -g1 -w -fPIC %s -I. -isystem runtime/cuda/include " +
               "-c $(location %s) -o $@") % (LLVM_ROOT, _HOST_ONLY, " ".join(copts), src),
    )
