"""clang-tidy as an aspect: `bazel build --config=tidy TARGETS` checks the sources of each target."""

load(":cpp_flags.bzl", "cpp_compile_flags")

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
    flags = cpp_compile_flags(ctx, context)
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
