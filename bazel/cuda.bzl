"""@cuda and @nccl: the toolkit at $CUDA_HOME or /usr/local/cuda, which a machine need not have.

Both repositories always load. What needs the toolkit says
    load("@cuda//:defs.bzl", "REQUIRES_CUDA")
    target_compatible_with = REQUIRES_CUDA
and is skipped by `//...` where it is absent; `select()` may ask for @cuda//:available (@nccl//:available).
Targets: @cuda//:cudart, @cuda//:cublas, @nccl//:nccl; CUDA_ROOT in defs.bzl is the folder found.
"""

_COMMON_BUILD = """\
load("@placecheck//bazel:flag.bzl", "bool_constant")

package(default_visibility = ["//visibility:public"])

bool_constant(
    name = "found",
    build_setting_default = {found},
)

config_setting(
    name = "available",
    flag_values = {{":found": "True"}},
)

constraint_setting(name = "presence")

# No platform has this value: what requires it is skipped.
constraint_value(
    name = "absent",
    constraint_setting = ":presence",
)
"""

_CUDA_BUILD = """
cc_library(
    name = "headers",
    hdrs = glob(["include/**/*.h", "include/**/*.hpp"], exclude = ["include/cccl/**", "include/nccl.h"]),
    includes = ["include"],
    target_compatible_with = {requires},
)

cc_library(
    name = "cudart",
    linkopts = {search} + ["-lcudart"],
    target_compatible_with = {requires},
    deps = [":headers"],
)

cc_library(
    name = "cublas",
    linkopts = {search} + ["-lcublas"],
    target_compatible_with = {requires},
    deps = [":cudart"],
)
"""

_NCCL_BUILD = """
cc_library(
    name = "nccl",
    hdrs = glob(["include/nccl.h"]),
    includes = ["include"],
    linkopts = {search} + ["-lnccl"],
    target_compatible_with = {requires},
    deps = ["@cuda//:cudart"],
)
"""

def _cuda_root(ctx):
    """The toolkit's folder, or None."""
    root = ctx.path(ctx.os.environ.get("CUDA_HOME", "") or "/usr/local/cuda")
    return root if root.get_child("include").get_child("cuda_runtime_api.h").exists else None

def _library_folder(root):
    for name in ["lib64", "lib"]:
        if root.get_child(name).exists:
            return root.get_child(name)
    return root

def _write(ctx, build, prefix, root, found):
    # Not ctx.name: with modules it is not the name by which others know the repository.
    requires = [] if found else ["@%s//:absent" % prefix.lower()]
    lib = _library_folder(root) if found else ""
    search = ["-L%s" % lib, "-Wl,-rpath,%s" % lib] if found else []
    ctx.file("BUILD", _COMMON_BUILD.format(found = found) +
                      build.format(requires = requires, search = search))
    ctx.file("defs.bzl", "REQUIRES_%s = %s\n%s_ROOT = %s\n" % (
        prefix,
        requires,
        prefix,
        repr(str(root)) if found else "None",
    ))

def _cuda_repository_impl(ctx):
    root = _cuda_root(ctx)
    if root:
        ctx.symlink(root.get_child("include"), "include")
    _write(ctx, _CUDA_BUILD, "CUDA", root, bool(root))

def _nccl_repository_impl(ctx):
    """NCCL lies in the toolkit's folder or, as NVIDIA's Debian packages have it, in /usr."""
    root = _cuda_root(ctx)
    if not root:
        _write(ctx, _NCCL_BUILD, "NCCL", None, False)
        return
    header = root.get_child("include").get_child("nccl.h")
    if not header.exists:
        header = ctx.path("/usr/include/nccl.h")
    if header.exists:
        ctx.symlink(header, "include/nccl.h")
    _write(ctx, _NCCL_BUILD, "NCCL", root, header.exists)

cuda_repository = repository_rule(
    implementation = _cuda_repository_impl,
    environ = ["CUDA_HOME"],
    local = True,
)

nccl_repository = repository_rule(
    implementation = _nccl_repository_impl,
    environ = ["CUDA_HOME"],
    local = True,
)
