#!/bin/sh
# The program on input that nobody means to give it: it says what is wrong, checks the rest, and ends
# with the promised exit code; never a crash, never a hang.
#   bad_inputs_test.sh ANALYZER
set -u
. ./tests/driver/scratch_folder.sh
failures=0

# expect NAME CODE TEXT ARGUMENTS...: the exit code, and a text in either output ("" for any).
expect() {
  name=$1 code=$2 text=$3
  shift 3
  timeout 400 "$analyzer" "$@" >"$root/output" 2>&1 </dev/null
  got=$?
  if [ "$got" -ne "$code" ] || { [ -n "$text" ] && ! grep -qF -e "$text" "$root/output"; }; then
    echo "FAILED: $name: exit $got, wanted $code with '$text'; it said:"
    head -c 2000 "$root/output"
    failures=$((failures + 1))
  fi
}

# repeat TEXT COUNT
repeat() { awk -v text="$1" -v count="$2" 'BEGIN { for (i = 0; i < count; ++i) printf "%s", text }'; }

mkdir empty_folder only_text bad_database lost_database mixed
: >empty.cc
head -c 20000 "$analyzer" >binary.cc
echo 'hello' >only_text/readme.txt
ln -s nowhere.cc dangling.cc
printf '// \377\376 caf\351\nint f() { return 0; } // \200\n' >invalid_utf8.cc
printf 'int main() { return 0; }\r\n' >crlf.cc
echo 'int main() { return 0; }' >good.cc
echo 'int main( { return 0 }' >broken.cc
echo '#include "not_there.h"
int main() { return 0; }' >missing_header.cc
echo 'inline int twice(int x) { return 2 * x; }' >alone.h

expect "an empty file" 0 "no findings in 1 file" empty.cc
expect "a binary file" 2 "binary.cc" binary.cc
expect "a folder without sources" 2 "no C++, CUDA or Python source" only_text
expect "an empty folder" 2 "no C++, CUDA or Python source" empty_folder
expect "a dangling link" 2 "dangling.cc" dangling.cc
expect "a path that is not there" 2 "nowhere" nowhere
expect "invalid UTF-8" 0 "no findings in 1 file" invalid_utf8.cc
expect "carriage returns" 0 "no findings in 1 file" crlf.cc
expect "code that does not parse" 0 "broken.cc: only partly" broken.cc
expect "the same, where all must" 2 "broken.cc" --require-understanding broken.cc
expect "a missing header" 0 "not_there.h" missing_header.cc
expect "a missing header, where that is too little" 2 "not_there.h" --require-understanding missing_header.cc
expect "a header alone" 0 "no findings in 1 file" alone.h

expect "why a file did not parse" 2 "'not_there.h' file not found" --why missing_header.cc
expect "why, of a good file" 0 "parsed without errors" --why=good.cc
expect "why, of no file" 2 "there is no such file" --why nowhere.cc

cp good.cc broken.cc mixed
expect "the rest is still checked" 0 "in 2 files (1 only partly" mixed

cp good.cc bad_database
echo '[{"directory": ' >bad_database/compile_commands.json
expect "a broken compilation database" 0 "compile_commands.json" bad_database/good.cc
cp good.cc lost_database
echo '[{"directory": "/not/there", "file": "gone.cc", "command": "c++ -c gone.cc"}]' \
  >lost_database/compile_commands.json
expect "a database of missing files" 0 "no findings in 1 file" lost_database/good.cc
expect "a database folder that is not there" 0 "nowhere" -p nowhere good.cc

{
  printf 'int f(int x) { return '
  repeat '(' 5000
  printf 'x'
  repeat ')' 5000
  echo '; }'
} >parentheses.cc
expect "5,000 nested parentheses" 0 "parentheses.cc" parentheses.cc
{
  echo 'int f(int x) {'
  repeat 'if (x) { ' 5000
  printf '++x;'
  repeat ' }' 5000
  echo ' return x; }'
} >nested.cc
expect "5,000 nested ifs" 0 "nested.cc" nested.cc
{
  echo 'int f(int x) {'
  repeat 'if (x) { ' 1000
  printf '++x;'
  repeat ' }' 1000
  echo ' return x; }'
} >shallow.cc
expect "1,000 nested ifs" 0 "no findings in 1 file" shallow.cc
awk 'BEGIN {
  for (i = 0; i < 10000; ++i)
    printf "int f%d(int x) {\n  if (x > %d) x = f%d(x - 1);\n  return x;\n}\n\n", i, i, i ? i - 1 : 0
}' >long.cc
expect "50,000 lines" 0 "no findings in 1 file" long.cc
{
  echo 'int f(int x) {'
  repeat '  if (x % 7) x += 2;
' 25000
  echo '  return x; }'
} >long_function.cc
expect "a function of 25,000 branches" 0 "in 1 file" long_function.cc

expect "an unknown option" 2 "--frobnicate" --frobnicate good.cc
expect "an unknown rule" 2 "device-mismatsh" --rules=device-mismatsh good.cc
expect "no path" 2 "no file or folder" --quiet
echo 'rules: [' >bad.yaml
expect "a broken configuration" 2 "bad.yaml" --config=bad.yaml good.cc
expect "a baseline that is not there" 2 "nowhere.json" --baseline=nowhere.json good.cc

expect "an output folder that is not there" 2 "cannot write" --output=nowhere/report good.cc
expect "an output that is a folder" 2 "it is a folder" --output=empty_folder good.cc
if [ -w /dev/full ]; then
  expect "a full disk" 2 "cannot write" --output=/dev/full good.cc
  "$analyzer" good.cc >/dev/full 2>"$root/output" </dev/null
  [ $? -eq 2 ] || { echo "FAILED: a full standard output"; failures=$((failures + 1)); }
fi
echo 'old' >report.json
expect "an output" 0 "" --format=json --output=report.json good.cc
grep -q '"findings"' report.json || { echo "FAILED: no report"; failures=$((failures + 1)); }
if ls -a | grep -q '\.tmp$'; then
  echo "FAILED: temporary files are left"
  failures=$((failures + 1))
fi

expect "the rules" 0 "device-mismatch" --list-rules
expect "a rule's page" 0 "# device-mismatch" --explain=device-mismatch
expect "help" 0 "usage: placecheck" --help
expect "the IR" 0 'func "main"' --dump-ir good.cc
expect "a file under two names" 0 "in 1 file" good.cc ./good.cc

[ "$failures" -eq 0 ] && echo "all as expected"
exit "$failures"
