"""The command line with which a C++ target's sources are compiled, for tools that read them as well."""

load("@bazel_tools//tools/build_defs/cc:action_names.bzl", "CPP_COMPILE_ACTION_NAME")
load("@bazel_tools//tools/cpp:toolchain_utils.bzl", "find_cpp_toolchain")

def cpp_compile_flags(ctx, compilation_context):
    """The options in an aspect's `ctx`, without input and output.

    The aspect has the fragment cpp, the toolchain type of C++ and an attribute `_cc_toolchain`.
    """
    toolchain = find_cpp_toolchain(ctx)
    features = cc_common.configure_features(
        ctx = ctx,
        cc_toolchain = toolchain,
        requested_features = ctx.features,
        unsupported_features = ctx.disabled_features + ["layering_check"],
    )
    copts = [
        ctx.expand_make_variables("copts", option, {})
        for option in getattr(ctx.rule.attr, "copts", [])
    ]
    variables = cc_common.create_compile_variables(
        cc_toolchain = toolchain,
        feature_configuration = features,
        user_compile_flags = ctx.fragments.cpp.copts + ctx.fragments.cpp.cxxopts + copts,
        include_directories = compilation_context.includes,
        quote_include_directories = compilation_context.quote_includes,
        system_include_directories = compilation_context.system_includes,
        preprocessor_defines = depset(
            transitive = [compilation_context.defines, compilation_context.local_defines],
        ),
    )
    return cc_common.get_memory_inefficient_command_line(
        feature_configuration = features,
        action_name = CPP_COMPILE_ACTION_NAME,
        variables = variables,
    )
