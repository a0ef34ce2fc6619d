"""Fixtures as programs that //tests/agreement runs."""

load("@libtorch//:defs.bzl", "IS_DEBIANS", "TORCH_COPTS")
load("@rules_cc//cc:defs.bzl", "cc_binary")
load("//bazel:cuda_host_object.bzl", "cuda_host_object")

# More in one source would need more memory than compilers of small machines have.
_PROGRAMS_IN_A_SOURCE = 24

# Fixtures keep their authors' hands; addresses must lead to their lines.
TORCH_PROGRAM_COPTS = TORCH_COPTS + ["-O0", "-g1", "-w", "-DPLACECHECK_NO_CUDA_TOOLKIT"]

def _groups(srcs, alone):
    """Sources by folder, so that a new fixture leaves other folders as they are."""
    programs = {}  # by what their paths begin with: of several files, a folder
    for src in sorted(srcs):
        if src not in alone:
            parts = src.split("/")
            program = "/".join(parts[:2]) if len(parts) > 2 else src
            programs.setdefault(program, []).append(src)
    groups = []
    folder = ""
    for program, files in programs.items():
        is_full = groups and len(groups[-1]) + len(files) > _PROGRAMS_IN_A_SOURCE
        if is_full or program.split("/")[0] != folder:
            groups.append([])
            folder = program.split("/")[0]
        groups[-1] += files
    return groups + [[src] for src in alone]

def _source(name, extension, prelude, srcs):
    """The file `name`.`extension` with all of `srcs`."""
    native.genrule(
        name = name + "_source",
        testonly = True,
        srcs = srcs,
        outs = [name + "." + extension],
        cmd = "sh $(location //tests/agreement:write_programs.sh) %s $(SRCS) > $@" % prelude,
        tools = ["//tests/agreement:write_programs.sh"],
        visibility = ["//visibility:private"],
    )

def agreement_programs(name, srcs, hdrs = [], alone = []):
    """Executables `name`_0, `name`_1, … with the fixtures in `srcs`, and a filegroup `name` of all.

    Args:
      name: of the filegroup.
      srcs: the fixtures, by path in this package.
      hdrs: what they include of this package.
      alone: those of `srcs` whose globals would disturb other programs in their executable.
    """
    binaries = []
    for i, group in enumerate(_groups(srcs, alone)):
        binary = "%s_%d" % (name, i)
        _source(binary, "cc", "tests/agreement/torch_prelude.h", group)
        cc_binary(
            name = binary,
            testonly = True,
            srcs = [binary + ".cc"] + hdrs,
            copts = TORCH_PROGRAM_COPTS,
            deps = [
                binary + "_fixtures",
                "//tests/agreement:torch_harness",
                "//tests/agreement:torch_prelude",
            ],
        )
        native.cc_library(
            name = binary + "_fixtures",
            testonly = True,
            textual_hdrs = group,
        )
        binaries.append(binary)
    native.filegroup(name = name, testonly = True, srcs = binaries)

def cuda_agreement_programs(name, srcs):
    """The executable `name` with the fixtures in `srcs`, which call CUDA themselves."""
    _source(name, "cu", "tests/agreement/cuda_prelude.h", sorted(srcs))
    cuda_host_object(
        name = name + "_object",
        testonly = True,
        src = name + ".cu",
        # In a namespace, main() is a function like others: it does not return 0 by itself.
        copts = ["-fno-strict-return"],
        hdrs = srcs + [
            "//tests/agreement:cuda_prelude.h",
            "//tests/agreement:harness.h",
        ],
    )
    cc_binary(
        name = name,
        testonly = True,
        srcs = [name + "_object.o"],
        deps = ["//tests/agreement:cuda_harness"],
    )

def extension_agreement_programs(name, srcs):
    """The executable `name`, which calls what the extensions in `srcs` register.

    Not with a libtorch from elsewhere: its headers for CUDA need those of the toolkit.
    """
    if not IS_DEBIANS:
        native.filegroup(name = name, testonly = True)
        return
    _source(name, "cu", "tests/agreement/extension_prelude.h", sorted(srcs))
    cuda_host_object(
        name = name + "_object",
        testonly = True,
        src = name + ".cu",
        copts = [
            "-std=c++17",
            "-include cuda_runtime.h",
            "-DPLACECHECK_NO_CUDA_TOOLKIT",
            "-DWITH_CUDA",
            "-Itests/agreement/include",
            "-isystem runtime/torch/include",
            "-isystem /usr/include/torch/csrc/api/include",
        ],
        hdrs = srcs + [
            "//runtime/torch:cuda_header_files",
            "//tests/agreement:extension_headers",
        ],
    )
    cc_binary(
        name = name,
        testonly = True,
        srcs = [name + "_object.o"],
        deps = ["//tests/agreement:extension_harness"],
    )
