#!/bin/sh
# Runs the unittest program at $1 with the system's interpreter, whose packages are Debian's. As a
# module: a script would find its neighbours where Bazel's links point, outside of its runfiles.
set -eu
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$PWD/$(dirname "$1")" \
  exec /usr/bin/python3 -m unittest "$(basename "$1" .py)"
