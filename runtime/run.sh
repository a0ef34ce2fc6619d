#!/bin/sh
# placecheck-run from the checkout: the Python package beside the libraries that Bazel built.
set -eu
runfiles=${RUNFILES_DIR:-$0.runfiles}
case $runfiles in
  /*) ;;
  *) runfiles=$PWD/$runfiles ;;
esac
runtime=$runfiles/placecheck/runtime
PLACECHECK_LIBRARIES=$runtime/torch:$runtime/cuda:$runtime/cuda/real
export PLACECHECK_LIBRARIES
exec python3 "$runtime/python/placecheck_run.py" "$@"
