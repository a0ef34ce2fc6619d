"""@libtorch//:torch: Debian's libtorch-dev, or the unpacked release or Python wheel at $LIBTORCH.

Of a CUDA build only the CPU half is linked: its devices here are the virtual ones.

Sources that include torch say `copts = TORCH_COPTS`, from @libtorch//:defs.bzl. With Debian's torch they
are built by GCC only: the Clang configurations, sanitizers included, skip whatever depends on it.
"""

_DEBIAN_BUILD = """\
config_setting(
    name = "clang",
    define_values = {"compiler": "clang"},
)

constraint_setting(name = "headers")

# No platform has this value: what requires it is skipped.
constraint_value(
    name = "unreadable",
    constraint_setting = ":headers",
)

# Clang rejects the vectors of incomplete types of torch 1.13 in C++20; GCC takes them.
cc_library(
    name = "torch",
    target_compatible_with = select({
        ":clang": [":unreadable"],
        "//conditions:default": [],
    }),
    hdrs = glob(["api/**/*.h"]),
    includes = ["api"],
    linkopts = ["-ltorch", "-ltorch_cpu", "-lc10"],
    visibility = ["//visibility:public"],
)
"""

_PREFIX_BUILD = """\
cc_library(
    name = "torch",
    hdrs = glob(["include/**/*.h", "include/**/*.hpp", "include/**/*.cuh"]),
    includes = ["include", "include/torch/csrc/api/include"],
    # libtorch.so itself holds nothing, and would bring libtorch_cuda.so with it. What libtorch_cpu.so of
    # a CUDA build needs it finds itself.
    linkopts = [
        "-L{lib}",
        "-Wl,-rpath,{lib}",
        "-Wl,--allow-shlib-undefined",
        "-ltorch_cpu",
        "-lc10",
    ],
    visibility = ["//visibility:public"],
)
"""

# GCC 12 sees an overflow in torch's reference counts where they are inlined into our code.
_COPTS = ["-Wno-unknown-warning-option", "-Wno-stringop-overflow"]

def _libtorch_repository_impl(ctx):
    prefix = ctx.os.environ.get("LIBTORCH", "")
    ctx.file("defs.bzl", "TORCH_COPTS = %r\nIS_DEBIANS = %r\n" % (_COPTS, not prefix))
    if prefix:
        ctx.symlink(ctx.path(prefix).get_child("include"), "include")
        ctx.file("BUILD", _PREFIX_BUILD.format(lib = prefix + "/lib"))
        return

    # Debian's other headers lie in /usr/include, where every compiler looks.
    api = ctx.path("/usr/include/torch/csrc/api/include")
    if not api.exists:
        fail("no %s and no $LIBTORCH; ./bazelw installs libtorch-dev" % api)
    ctx.symlink(api, "api")
    ctx.file("BUILD", _DEBIAN_BUILD)

libtorch_repository = repository_rule(
    implementation = _libtorch_repository_impl,
    environ = ["LIBTORCH"],
    local = True,
)
