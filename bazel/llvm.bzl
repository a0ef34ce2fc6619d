"""@llvm: LLVM and Clang 22 as installed, linked from their shared libraries.

Targets: :llvm, :clang, :resource_dir (llvm_resource_dir.h: placecheck::kClangResourceDir),
:resource_headers (Clang's own headers as files), :static (what a binary links in place of :llvm and
:clang to need no LLVM where it runs, see static_binary.bzl); LLVM_ROOT in defs.bzl is the folder found.
LLVM_ROOT names another installation than Debian's.
"""

_VERSION = "22"

_BUILD = """\
package(default_visibility = ["//visibility:public"])

cc_library(
    name = "llvm",
    hdrs = glob(["include/llvm/**", "include/llvm-c/**"], exclude = ["**/*.modulemap"]),
    includes = ["include"],
    linkopts = ["-L{lib}", "-Wl,-rpath,{lib}", "-l:{llvm}"],
)

cc_library(
    name = "clang",
    hdrs = glob(["include/clang/**", "include/clang-c/**"], exclude = ["**/*.modulemap"]),
    includes = ["include"],
    linkopts = ["-L{lib}", "-l:{clang}"],
    deps = [":llvm"],
)

cc_library(
    name = "resource_dir",
    hdrs = ["llvm_resource_dir.h"],
    includes = ["."],
)

filegroup(
    name = "resource_headers",
    srcs = glob(["resource/include/**"]),
)

# In a group: the archives need each other, and the libraries behind them.
cc_library(
    name = "static",
    linkopts = ["-L{lib}", "-Wl,--start-group"] + {archives} + ["-Wl,--end-group"],
)
"""

_RESOURCE_DIR_HEADER = """\
// The folder of Clang's own headers (stddef.h, the CUDA wrappers), which a tool must be told.
#pragma once

namespace placecheck {{

inline constexpr char kClangResourceDir[] = "{dir}";

}}  // namespace placecheck
"""

def _shared_library(lib, stem):
    """The file name of `stem`.so with the version; the plain name is in another package."""
    for entry in lib.readdir():
        if entry.basename.startswith("%s.so.%s" % (stem, _VERSION)):
            return entry.basename
    fail("%s.so.%s is not in %s; ./bazelw installs what is missing" % (stem, _VERSION, lib))

def _archives(lib):
    """Linker options for all of LLVM and Clang, and what they need."""
    names = [entry.basename for entry in lib.readdir()]
    own = [
        name
        for name in names
        if name.endswith(".a") and (name.startswith("libLLVM") or name.startswith("libclang"))
    ]
    return ["-l:" + name for name in sorted(own) + ["libz.a", "libzstd.a", "libstdc++.a"]]

def _resource_dir(ctx, root):
    clang = root.get_child("bin").get_child("clang-" + _VERSION)
    if not clang.exists:
        clang = root.get_child("bin").get_child("clang")
    result = ctx.execute([clang, "-print-resource-dir"])
    if result.return_code != 0:
        fail("%s -print-resource-dir: %s" % (clang, result.stderr))
    return str(ctx.path(result.stdout.strip()).realpath)

def _llvm_repository_impl(ctx):
    root = ctx.path(ctx.os.environ.get("LLVM_ROOT", "/usr/lib/llvm-" + _VERSION))
    if not root.get_child("include").get_child("clang").exists:
        fail("no headers of Clang %s in %s; ./bazelw installs what is missing" % (_VERSION, root))
    lib = root.get_child("lib")
    resource_dir = _resource_dir(ctx, root)
    ctx.symlink(root.get_child("include"), "include")
    ctx.symlink(resource_dir + "/include", "resource/include")
    ctx.file("llvm_resource_dir.h", _RESOURCE_DIR_HEADER.format(dir = resource_dir))
    ctx.file("defs.bzl", "LLVM_ROOT = %s\n" % repr(str(root)))
    ctx.file("BUILD", _BUILD.format(
        lib = lib,
        archives = repr(_archives(lib)),
        llvm = _shared_library(lib, "libLLVM"),
        clang = _shared_library(lib, "libclang-cpp"),
    ))

llvm_repository = repository_rule(
    implementation = _llvm_repository_impl,
    environ = ["LLVM_ROOT"],
    local = True,
)
