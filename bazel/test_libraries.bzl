"""@googletest and @benchmark: Debian's compiled libraries; their headers lie in /usr/include."""

_GOOGLETEST_BUILD = """\
package(default_visibility = ["//visibility:public"])

cc_library(
    name = "gtest",
    linkopts = ["-lgmock", "-lgtest", "-lpthread"],
)

cc_library(
    name = "gtest_main",
    linkopts = ["-lgmock_main"],
    deps = [":gtest"],
)
"""

_BENCHMARK_BUILD = """\
package(default_visibility = ["//visibility:public"])

cc_library(
    name = "benchmark",
    linkopts = ["-lbenchmark", "-lpthread"],
)

cc_library(
    name = "benchmark_main",
    linkopts = ["-lbenchmark_main"],
    deps = [":benchmark"],
)
"""

def _require(ctx, header, package):
    if not ctx.path(header).exists:
        fail("no %s; ./bazelw installs %s" % (header, package))

def _googletest_repository_impl(ctx):
    _require(ctx, "/usr/include/gtest/gtest.h", "libgtest-dev")
    _require(ctx, "/usr/include/gmock/gmock.h", "libgmock-dev")
    ctx.file("BUILD", _GOOGLETEST_BUILD)

def _benchmark_repository_impl(ctx):
    _require(ctx, "/usr/include/benchmark/benchmark.h", "libbenchmark-dev")
    ctx.file("BUILD", _BENCHMARK_BUILD)

googletest_repository = repository_rule(implementation = _googletest_repository_impl, local = True)

benchmark_repository = repository_rule(implementation = _benchmark_repository_impl, local = True)
