#!/bin/sh
# Writes one C++ file with the examples of the pages named as arguments, each in its own namespace, so
# that the framework's headers are read once.
set -eu
cat "$@" | sed -n '/^```cpp/,/^```$/p' | grep '^#include' | sort -u
cat "$@" | awk '
  /^```cpp (bad|good)$/ { inside = 1; printf "namespace example_%d {\n", ++count; next }
  /^```$/ && inside { inside = 0; print "}"; next }
  inside && !/^#include/ { sub(/^int main\(\)/, "int run()"); print }
'
