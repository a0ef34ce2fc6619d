"""@tree_sitter//:python: the tree-sitter library with its grammar of Python.

Both come from the source distributions that their authors publish, which pip fetches and compares with
the digests below; nothing of them is run. Debian's libtree-sitter-dev lacks a header that the grammar needs.
"""

_CORE = "tree-sitter"
_CORE_VERSION = "0.23.2"
_CORE_SHA256 = "66bae8dd47f1fed7bdef816115146d3a41c39b5c482d7bad36d9ba1def088450"
_GRAMMAR = "tree-sitter-python"
_GRAMMAR_VERSION = "0.23.6"
_GRAMMAR_SHA256 = "354bfa0a2f9217431764a631516f85173e9711af2c13dbd796a8815acfe505d9"

_BUILD = """\
# What others wrote is compiled without our warnings.
_COPTS = ["-w", "-std=gnu11"]

cc_library(
    name = "core",
    srcs = ["core/src/lib.c"],
    hdrs = ["core/include/tree_sitter/api.h"],
    # Its own copy of ICU's headers, which it includes as if they were the system's.
    copts = _COPTS + ["-Iexternal/" + repository_name().replace("@", "") + "/core/src"],
    includes = ["core/include"],
    textual_hdrs = glob(["core/src/**"], exclude = ["core/src/lib.c"]),
    visibility = ["//visibility:public"],
)

cc_library(
    name = "python",
    srcs = ["grammar/parser.c", "grammar/scanner.c"],
    hdrs = ["tree_sitter_python.h"],
    copts = _COPTS,
    includes = ["."],
    visibility = ["//visibility:public"],
    deps = [":core", ":headers"],
)

cc_library(
    name = "headers",
    hdrs = glob(["headers/tree_sitter/*.h"]),
    includes = ["headers"],
)
"""

_HEADER = """\
// The one symbol of the grammar.
#pragma once

#include <tree_sitter/api.h>

extern "C" const TSLanguage* tree_sitter_python(void);
"""

def _fetch(ctx, name, version, digest):
    """Unpacks a source distribution below `name`; returns the folder."""
    ctx.file(name + ".txt", "%s==%s --hash=sha256:%s\n" % (name, version, digest))
    result = ctx.execute([
        "/usr/bin/python3",
        "-m",
        "pip",
        "download",
        "--quiet",
        "--no-deps",
        "--require-hashes",
        "--no-binary=" + name,
        "--dest=" + name,
        "--requirement=" + name + ".txt",
    ], timeout = 600)
    if result.return_code != 0:
        fail("pip could not fetch %s %s:\n%s" % (name, version, result.stderr))
    for archive in ctx.path(name).readdir():
        if archive.basename.endswith(".tar.gz"):
            _unpack(ctx, archive, name)
    return name

def _unpack(ctx, archive, folder):
    # Not ctx.extract: the Bazel of Debian 13 lacks a Java class for it.
    result = ctx.execute(["tar", "-xzf", archive, "-C", folder, "--strip-components=1"])
    if result.return_code != 0:
        fail("tar could not unpack %s:\n%s" % (archive, result.stderr))

def _tree_sitter_repository_impl(ctx):
    core = ctx.path(_fetch(ctx, _CORE, _CORE_VERSION, _CORE_SHA256) + "/tree_sitter/core/lib")
    grammar = ctx.path(_fetch(ctx, _GRAMMAR, _GRAMMAR_VERSION, _GRAMMAR_SHA256) + "/src")
    ctx.symlink(core, "core")
    ctx.symlink(grammar, "grammar")
    for header in ["alloc.h", "array.h", "parser.h", "ts_assert.h"]:
        ctx.symlink(core.get_child("src").get_child(header), "headers/tree_sitter/" + header)
    ctx.file("tree_sitter_python.h", _HEADER)
    ctx.file("BUILD", _BUILD)

tree_sitter_repository = repository_rule(implementation = _tree_sitter_repository_impl)
