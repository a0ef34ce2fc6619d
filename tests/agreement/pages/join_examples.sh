#!/bin/sh
# join_examples.sh cpp|cuda PAGE...: writes the pages' examples in that language as one source, each in a
# namespace of its page and kind (device_mismatch_bad), so that the headers are read once. A main() is
# called run() there.
set -eu
language=$1
shift
cat "$@" | sed -n "/^\`\`\`$language /,/^\`\`\`\$/p" | grep '^#include' | sort -u
awk -v language="$language" '
  FNR == 1 {
    rule = FILENAME
    sub(/.*\//, "", rule)
    sub(/\.md$/, "", rule)
    gsub(/-/, "_", rule)
  }
  $0 == "```" language " bad" || $0 == "```" language " good" {
    inside = 1
    printf "namespace %s_%s {\n", rule, $2
    next
  }
  /^```$/ && inside { inside = 0; print "}"; next }
  inside && !/^#include/ { sub(/^int main\(\)/, "int run()"); print }
' "$@"
