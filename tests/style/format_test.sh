#!/bin/sh
# Every C++ source of the tree is as clang-format leaves it; testdata/ keeps its authors' hands.
set -eu
cd "$(dirname "$(readlink -f WORKSPACE)")"
find bazel rules analyzer runtime tests -type f \
  \( -name '*.cc' -o -name '*.h' -o -name '*.cu' -o -name '*.cuh' \) -print0 2>/dev/null |
  xargs -0 -r clang-format-22 --dry-run --Werror
