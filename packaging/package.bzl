"""A package of the analyzer, as a folder that holds it: the file's name says what it was built from."""

load("@rules_cc//cc:defs.bzl", "cc_library")

def _package_impl(ctx):
    out = ctx.actions.declare_directory(ctx.label.name)
    arguments = ctx.actions.args()
    arguments.add(ctx.file._script)
    arguments.add("--format", ctx.attr.format)
    arguments.add("--analyzer", ctx.executable.analyzer)
    arguments.add("--license", ctx.file.license)
    arguments.add("--notice", ctx.file.notice)
    arguments.add("--root", ".")
    arguments.add("--out", out.path)
    arguments.add_all(ctx.files._headers)
    ctx.actions.run(
        outputs = [out],
        executable = "/usr/bin/python3",
        arguments = [arguments],
        inputs = ctx.files._headers + ctx.files._modules + ctx.files.python +
                 [ctx.file._script, ctx.file.license, ctx.file.notice],
        tools = [ctx.executable.analyzer],
        env = {"PATH": "/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1"},
        mnemonic = "Package",
    )
    return [DefaultInfo(files = depset([out]), runfiles = ctx.runfiles([out]))]

analyzer_package = rule(
    implementation = _package_impl,
    attrs = {
        "analyzer": attr.label(executable = True, cfg = "target"),
        "format": attr.string(values = ["wheel", "deb", "tarball"]),
        "license": attr.label(allow_single_file = True),
        "notice": attr.label(allow_single_file = True),
        "python": attr.label_list(allow_files = True, doc = "read at their places in the tree"),
        "_headers": attr.label(default = "@llvm//:resource_headers"),
        "_modules": attr.label_list(default = [":help_pages.py", ":runtime_wheel.py"], allow_files = True),
        "_script": attr.label(default = ":package.py", allow_single_file = True),
    },
)

def _commit_source_impl(ctx):
    out = ctx.actions.declare_file(ctx.label.name + ".cc")
    ctx.actions.run_shell(
        outputs = [out],
        inputs = [ctx.info_file],
        command = """
commit=$(sed -n 's/^STABLE_COMMIT //p' {status})
cat > {out} <<END
#include "analyzer/build_commit.h"

namespace placecheck {{

const char* const kBuildCommit = "$commit";

}}  // namespace placecheck
END
""".format(status = ctx.info_file.path, out = out.path),
        mnemonic = "CommitSource",
    )
    return [DefaultInfo(files = depset([out]))]

_commit_source = rule(implementation = _commit_source_impl)

def commit_library(name):
    """A library that tells //analyzer:main the commit."""
    _commit_source(name = name + "_source")
    cc_library(
        name = name,
        srcs = [name + "_source"],
        alwayslink = True,
        deps = ["//analyzer:main"],
    )
