"""What is found on this machine, for MODULE.bazel; WORKSPACE lists the same."""

load(":cuda.bzl", "cuda_repository", "nccl_repository")
load(":libtorch.bzl", "libtorch_repository")
load(":llvm.bzl", "llvm_repository")
load(":openblas.bzl", "openblas_repository")
load(":test_libraries.bzl", "benchmark_repository", "googletest_repository")
load(":tree_sitter.bzl", "tree_sitter_repository")

def _machine_impl(_ctx):
    benchmark_repository(name = "benchmark")
    cuda_repository(name = "cuda")
    googletest_repository(name = "googletest")
    libtorch_repository(name = "libtorch")
    llvm_repository(name = "llvm")
    nccl_repository(name = "nccl")
    openblas_repository(name = "openblas")
    tree_sitter_repository(name = "tree_sitter")

machine = module_extension(implementation = _machine_impl)
