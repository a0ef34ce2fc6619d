#!/bin/sh
# Formats every C++ source of the tree in place.
set -eu
cd "$BUILD_WORKSPACE_DIRECTORY"
find bazel rules analyzer runtime tests -type f \
  \( -name '*.cc' -o -name '*.h' -o -name '*.cu' -o -name '*.cuh' \) -print0 2>/dev/null |
  xargs -0 -r clang-format-22 -i
