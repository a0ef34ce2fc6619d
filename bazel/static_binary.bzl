"""A binary that needs no LLVM and no libstdc++ where it runs.

It is linked from the objects of an ordinary build: only the way to LLVM differs, so nothing is compiled
twice.
"""

def _static_binary_impl(ctx):
    toolchain = ctx.attr._cc_toolchain[cc_common.CcToolchainInfo]
    features = cc_common.configure_features(
        ctx = ctx,
        cc_toolchain = toolchain,
        requested_features = ctx.features,
        unsupported_features = ctx.disabled_features,
    )
    inputs = []
    for dep in ctx.attr.deps:
        inputs += dep[CcInfo].linking_context.linker_inputs.to_list()
    own = [each for each in inputs if each.owner.workspace_name != "llvm"]
    linked = cc_common.link(
        actions = ctx.actions,
        feature_configuration = features,
        cc_toolchain = toolchain,
        linking_contexts = [
            cc_common.create_linking_context(linker_inputs = depset(own, order = "topological")),
            ctx.attr._llvm[CcInfo].linking_context,
        ],
        # The toolchain names libstdc++.so once more, behind the archive that has it all.
        user_link_flags = ["-Wl,--gc-sections", "-Wl,-s", "-Wl,--as-needed"],
        name = ctx.label.name,
    )
    return [DefaultInfo(
        executable = linked.executable,
        files = depset([linked.executable]),
    )]

static_binary = rule(
    implementation = _static_binary_impl,
    attrs = {
        "deps": attr.label_list(providers = [CcInfo]),
        "_cc_toolchain": attr.label(default = "@bazel_tools//tools/cpp:current_cc_toolchain"),
        "_llvm": attr.label(default = "@llvm//:static", providers = [CcInfo]),
    },
    executable = True,
    fragments = ["cpp"],
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
)
