#!/bin/bash
# The worked example of analyzer/models/README.md does what the page says.
#   models_test.sh ANALYZER PAGE
set -eu
page=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
. ./tests/driver/scratch_folder.sh

# The first block of a language, without its fences.
block() { awk -v open="\`\`\`$1" '$0 == open && !done { on = 1; next } $0 == "```" && on { on = 0; done = 1 } on' "$page"; }
block yaml >house.yaml
block cpp >train.cc
grep -q house::load_image house.yaml
grep -q house::load_image train.cc

fail() {
  echo "FAILED: $1; it said:"
  cat output
  exit 1
}

status=0
"$analyzer" --no-cache train.cc >output 2>&1 || status=$?
[ "$status" -eq 0 ] || fail "nothing is known without a table"
grep -q "house::load_image (" output || fail "the missing model is named"

status=0
"$analyzer" --no-cache --models=house.yaml train.cc >output 2>&1 || status=$?
[ "$status" -eq 1 ] || fail "the table makes the finding"
grep -q "^train.cc:14:3: .*'image' is on cpu but 'net' is on cuda:0" output || fail "the finding of the page"
[ "$(grep -c "device-mismatch" output)" -eq 1 ] || fail "one finding"

refuse() { # TEXT EXPECTED
  printf '%s\n' "$1" >bad.yaml
  status=0
  "$analyzer" --no-cache --models bad.yaml train.cc >output 2>&1 || status=$?
  [ "$status" -eq 2 ] || fail "refused: $1"
  grep -qF "$2" output || fail "says '$2'"
}
refuse 'calls: [{name: f, effect: transfr}]' "did you mean 'transfer'?"
refuse 'calls: [{name: f}]' "'f' needs either an effect or what it returns"
refuse 'calls: [{name: f, returns: gpu}]' "'gpu' is no device"
refuse 'call: []' "bad.yaml:1"
refuse 'calls: 3' "bad.yaml"
status=0
"$analyzer" --models nowhere.yaml train.cc >output 2>&1 || status=$?
[ "$status" -eq 2 ] || fail "a table that is not there"
echo "ok"
