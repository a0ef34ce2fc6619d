"""cuda_objects: .cu files compiled by the toolkit's nvcc, for the srcs of a cc_library."""

load("@cuda//:defs.bzl", "CUDA_ROOT", "REQUIRES_CUDA")
load(":cuda_source.bzl", "CudaSourceInfo")

# Binary code for data-centre cards of today, and PTX for what else there is from 2020 on.
_ARCHITECTURES = ["-gencode", "arch=compute_80,code=compute_80", "-gencode", "arch=compute_90,code=sm_90"]

_LANGUAGE = ["-std=c++20", "-I."]

def _cuda_objects_impl(ctx):
    out = ctx.actions.declare_file(ctx.label.name + ".o")
    arguments = ctx.actions.args()
    arguments.add_all(_LANGUAGE + ["-O2"] + _ARCHITECTURES + ["-Xcompiler", "-fPIC"])
    arguments.add("-c", ctx.file.src)
    arguments.add("-o", out)
    ctx.actions.run(
        outputs = [out],
        inputs = [ctx.file.src] + ctx.files.hdrs,
        executable = CUDA_ROOT + "/bin/nvcc",
        arguments = [arguments],
        mnemonic = "CudaCompile",
        use_default_shell_env = True,
    )
    return [
        DefaultInfo(files = depset([out])),
        CudaSourceInfo(
            source = ctx.file.src,
            headers = depset(ctx.files.hdrs),
            flags = _LANGUAGE + ["--cuda-path=" + CUDA_ROOT],
        ),
    ]

_cuda_objects = rule(
    implementation = _cuda_objects_impl,
    attrs = {
        "src": attr.label(allow_single_file = [".cu"]),
        "hdrs": attr.label_list(allow_files = True),
    },
)

def cuda_objects(name, src, hdrs):
    """The object file `name`.o of the source `src`, which includes `hdrs`; skipped without a toolkit."""
    _cuda_objects(
        name = name,
        src = src,
        hdrs = hdrs,
        target_compatible_with = REQUIRES_CUDA,
    )
