"""Local answers to the repositories that Bazel 4.2 would download."""

_CC_RULES = [
    "cc_binary",
    "cc_import",
    "cc_library",
    "cc_proto_library",
    "cc_test",
    "cc_toolchain",
    "cc_toolchain_suite",
    "objc_library",
]

def _rules_cc_shim_impl(ctx):
    exports = ["%s = native.%s" % (rule, rule) for rule in _CC_RULES]
    ctx.file("WORKSPACE", "workspace(name = \"rules_cc\")\n")
    ctx.file("BUILD", "")
    ctx.file("cc/defs.bzl", "\n".join(exports) + "\n")
    ctx.file("cc/BUILD", """\
alias(
    name = "toolchain_type",
    actual = "@bazel_tools//tools/cpp:toolchain_type",
    visibility = ["//visibility:public"],
)
""")

rules_cc_shim = repository_rule(
    implementation = _rules_cc_shim_impl,
    doc = "Debian's rules_cc is too new for Debian's Bazel; the native rules under its name will do.",
)

def _coverage_tools_stub_impl(ctx):
    ctx.file("WORKSPACE", "workspace(name = \"remote_coverage_tools\")\n")
    ctx.file("BUILD", """\
filegroup(
    name = "coverage_report_generator",
    srcs = [],
    visibility = ["//visibility:public"],
)
""")

coverage_tools_stub = repository_rule(
    implementation = _coverage_tools_stub_impl,
    doc = "`bazel test` asks for the coverage tools even when it collects no coverage.",
)
