"""Tests in Python: Bazel 4's own py_test starts an interpreter named `python`, which Debian has not."""

load("@libtorch//:defs.bzl", "IS_DEBIANS")

def python_torch_test(name, srcs, data = [], **kwargs):
    """A unittest program NAME.py for the Python of the system and its torch.

    Debian's python3-torch is of the release of Debian's libtorch-dev: with another libtorch there is none.
    """
    if not IS_DEBIANS:
        return
    native.sh_test(
        name = name,
        srcs = ["//bazel:python_test.sh"],
        args = ["$(location %s.py)" % name],
        data = data + srcs + [name + ".py"],
        **kwargs
    )
