"""precompiled_header: a header that GCC has read once for all sources that include it first."""

load("@bazel_tools//tools/cpp:toolchain_utils.bzl", "find_cpp_toolchain")

def _precompiled_header_impl(ctx):
    toolchain = find_cpp_toolchain(ctx)
    features = cc_common.configure_features(
        ctx = ctx,
        cc_toolchain = toolchain,
        requested_features = ctx.features,
        unsupported_features = ctx.disabled_features,
    )
    dependencies = cc_common.merge_cc_infos(cc_infos = [dep[CcInfo] for dep in ctx.attr.deps])

    # What compiles sources compiles the header, so that the flags are those of its users: GCC passes over
    # a precompiled header of other flags, without a word.
    source = ctx.actions.declare_file(ctx.label.name + ".cc")
    ctx.actions.symlink(output = source, target_file = ctx.file.hdr)
    _, outputs = cc_common.compile(
        name = ctx.label.name,
        actions = ctx.actions,
        feature_configuration = features,
        cc_toolchain = toolchain,
        srcs = [source],
        user_compile_flags = ctx.attr.copts + ["-x", "c++-header"],
        compilation_contexts = [dependencies.compilation_context],
    )
    header = ctx.actions.declare_file(ctx.label.name + ".h")
    ctx.actions.symlink(output = header, target_file = ctx.file.hdr)
    precompiled = ctx.actions.declare_file(ctx.label.name + ".h.gch")
    ctx.actions.symlink(output = precompiled, target_file = (outputs.pic_objects or outputs.objects)[0])
    own = CcInfo(compilation_context = cc_common.create_compilation_context(
        headers = depset([header, precompiled]),
    ))
    return [cc_common.merge_cc_infos(cc_infos = [own, dependencies])]

precompiled_header = rule(
    implementation = _precompiled_header_impl,
    doc = """Makes `name`.h of `hdr`, to be included before anything else by targets with the same `copts`.

Compilers other than GCC read `name`.h as it is.""",
    attrs = {
        "hdr": attr.label(allow_single_file = [".h"], mandatory = True),
        "copts": attr.string_list(),
        "deps": attr.label_list(providers = [CcInfo]),
        "_cc_toolchain": attr.label(default = "@bazel_tools//tools/cpp:current_cc_toolchain"),
    },
    fragments = ["cpp"],
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
)
