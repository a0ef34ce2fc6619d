#!/bin/sh
# `bazel run //packaging:runtime_wheel [-- --out=FOLDER]`: the wheel of this checkout, here or there.
set -eu
cd "${BUILD_WORKING_DIRECTORY:-.}"
exec python3 "$BUILD_WORKSPACE_DIRECTORY/packaging/runtime_wheel.py" \
  --root="$BUILD_WORKSPACE_DIRECTORY" --out=. "$@"
