#!/bin/sh
# write_programs.sh PRELUDE FIXTURE...: writes a source with those of the fixtures that have a main(),
# or are extensions, each in a namespace of its own, after the prelude; the other sources of a folder
# with a main.cc belong to that program.
set -eu
echo "#include \"$1\""
echo '#include "tests/agreement/harness.h"'
shift
table=""
number=0
for file in "$@"; do
  if grep -q '^int main(' "$file"; then
    is_extension=""
  else
    grep -q '^PYBIND11_MODULE\|^TORCH_LIBRARY' "$file" || continue
    is_extension=yes
  fi
  number=$((number + 1))
  echo "namespace fixture_$number {"
  folder=$(dirname "$file")
  if [ "$(basename "$file")" = main.cc ]; then
    for part in "$@"; do
      if [ "$(dirname "$part")" = "$folder" ] && [ "$part" != "$file" ]; then
        echo "#include \"$part\""
      fi
    done
  fi
  echo "#include \"$file\""
  echo "}  // namespace fixture_$number"
  run="run<&fixture_$number::main>"
  [ -z "$is_extension" ] || run=run_extension
  table="$table    {\"${file#testdata/}\", &$run},
"
done
echo "namespace placecheck::agreement {"
echo "const Program kPrograms[] = {"
printf '%s' "$table"
echo "};"
echo "const std::size_t kProgramCount = $number;"
echo "}  // namespace placecheck::agreement"
