"""clang-tidy as an aspect: `bazel build --config=tidy TARGETS` checks the sources of each target."""

load("@bazel_tools//tools/build_defs/cc:action_names.bzl", "CPP_COMPILE_ACTION_NAME")
load("@bazel_tools//tools/cpp:toolchain_utils.bzl", "find_cpp_toolchain")

def _compile_flags(ctx, compilation_context):
    toolchain = find_cpp_toolchain(ctx)
    features = cc_common.configure_features(
        ctx = ctx,
        cc_toolchain = toolchain,
        requested_features = ctx.features,
        unsupported_features = ctx.disabled_features + ["layering_check"],
    )
    variables = cc_common.create_compile_variables(
        cc_toolchain = toolchain,
        feature_configuration = features,
        user_compile_flags = ctx.fragments.cpp.copts + ctx.fragments.cpp.cxxopts +
                             getattr(ctx.rule.attr, "copts", []),
        include_directories = compilation_context.includes,
        quote_include_directories = compilation_context.quote_includes,
        system_include_directories = compilation_context.system_includes,
        preprocessor_defines = compilation_context.defines,
    )
    return cc_common.get_memory_inefficient_command_line(
        feature_configuration = features,
        action_name = CPP_COMPILE_ACTION_NAME,
        variables = variables,
    )

def _tidy_action(ctx, source, flags, headers):
    report = ctx.actions.declare_file("%s.%s.tidy" % (ctx.label.name, source.basename))
    arguments = ctx.actions.args()
    arguments.add(source)
    arguments.add("--quiet")
    arguments.add("--config-file", ctx.file._config)
    arguments.add("--")
    arguments.add_all(flags)
    ctx.actions.run_shell(
        command = "report=$1; shift; if ! clang-tidy-22 \"$@\" >\"$report\" 2>&1; then cat \"$report\" >&2; exit 1; fi",
        arguments = [report.path, arguments],
        inputs = depset([source, ctx.file._config], transitive = [headers]),
        outputs = [report],
        mnemonic = "ClangTidy",
        progress_message = "Reading %s with clang-tidy" % source.short_path,
        use_default_shell_env = True,
    )
    return report

def _clang_tidy_impl(target, ctx):
    if CcInfo not in target or ctx.label.workspace_name:
        return []
    context = target[CcInfo].compilation_context
    flags = _compile_flags(ctx, context)
    sources = [
        file
        for attribute in getattr(ctx.rule.attr, "srcs", [])
        for file in attribute.files.to_list()
        if file.is_source and file.extension in ("cc", "cpp")
    ]
    reports = [_tidy_action(ctx, source, flags, context.headers) for source in sources]
    return [OutputGroupInfo(clang_tidy = depset(reports))]

clang_tidy = aspect(
    implementation = _clang_tidy_impl,
    attrs = {
        "_cc_toolchain": attr.label(default = "@bazel_tools//tools/cpp:current_cc_toolchain"),
        "_config": attr.label(default = "//:.clang-tidy", allow_single_file = True),
    },
    fragments = ["cpp"],
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
)
