"""@openblas//:openblas: Debian's libopenblas-dev, the products of matrices on a host."""

_BUILD = """\
cc_library(
    name = "openblas",
    hdrs = glob(["include/*.h"]),
    includes = ["include"],
    linkopts = ["-lopenblas"],
    visibility = ["//visibility:public"],
)
"""

# Debian has one build with threads of its own, one with OpenMP, one without; any will do.
_FLAVOURS = ["openblas-pthread", "openblas-openmp", "openblas-serial"]

def _openblas_repository_impl(ctx):
    roots = [ctx.path("/usr/include/%s-linux-gnu/%s" % (cpu, flavour)) for cpu in ["x86_64", "aarch64"] for flavour in _FLAVOURS]
    found = [root for root in roots if root.get_child("cblas.h").exists]
    if not found:
        fail("no cblas.h of OpenBLAS; ./bazelw installs libopenblas-dev")
    ctx.symlink(found[0], "include")
    ctx.file("BUILD", _BUILD)

openblas_repository = repository_rule(implementation = _openblas_repository_impl, local = True)
