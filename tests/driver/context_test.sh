#!/bin/bash
# A part of a project is judged with the files of its program, and only the part is spoken of.
#   context_test.sh ANALYZER
set -eu
. ./tests/driver/scratch_folder.sh
mkdir lib
touch CMakeLists.txt
cat >main.cc <<'CODE'
#include <torch/torch.h>

#include "lib/score.h"

int main() {
  torch::Device device(torch::kCUDA);
  torch::nn::Linear net(4, 2);
  net->to(device);
  score(net, torch::rand({3, 4}));
  net(torch::rand({3, 4}));
}
CODE
echo '#include <torch/torch.h>
torch::Tensor score(torch::nn::Linear& net, torch::Tensor input);' >lib/score.h
echo '#include "score.h"
torch::Tensor score(torch::nn::Linear& net, torch::Tensor input) { return net->forward(input); }' >lib/score.cc

fail() {
  echo "FAILED: $1; it said:"
  cat output
  exit 1
}
check() { # EXPECTED-STATUS ARGUMENTS...
  expected=$1
  shift
  status=0
  "$analyzer" --cache-dir="$root/cache" "$@" >output 2>&1 || status=$?
  [ "$status" -eq "$expected" ] || fail "exit code of $*"
}

check 1 .
[ "$(grep -c device-mismatch output)" -eq 2 ] || fail "both, in the whole project"
grep -q "2 findings in 2 files" output || fail "the whole project is two files"

check 1 main.cc
grep -q "2 findings in 1 file" output || fail "the program, with what it calls"
grep -q "^lib/score.cc:2:.*device-mismatch" output || fail "what fails elsewhere and begins here"
check 0 --no-context main.cc
grep -q "calls without a model: score (1)" output || fail "the file alone"

check 1 lib
grep -q "^lib/score.cc:2:.*device-mismatch" output || fail "what fails here and begins elsewhere"
grep -q "1 finding in 1 file" output || fail "what main does by itself is not spoken of"
check 0 --no-context lib

sed -i 's/score(net, .*/score(net, torch::rand({3, 4}, device));/' main.cc
check 0 lib
sed -i 's/forward(input)/forward(torch::rand({3, 4}))/' lib/score.cc
check 1 lib
grep -q "^lib/score.cc:2:.*device-mismatch" output || fail "the part's own mistake"
grep -q "^main.cc:8:.*note" output || fail "where the module was moved"
check 0 --no-context lib

# A header is known from the sources that include it.
cat >lib/net.h <<'CODE'
#include <torch/torch.h>
struct NetImpl : torch::nn::Module {
  torch::nn::Linear body{register_module("body", torch::nn::Linear(4, 2))};
  torch::Tensor forward(torch::Tensor x) { return body->forward(x) + torch::rand({2}); }
};
TORCH_MODULE(Net);
CODE
cat >train.cc <<'CODE'
#include "lib/net.h"
int main() {
  Net net;
  net->to(torch::kCUDA);
  net->forward(torch::rand({3, 4}, torch::kCUDA));
  net(torch::rand({3, 4}));
}
CODE
check 1 lib/net.h
grep -q "^lib/net.h:4:.*hardcoded-device" output || fail "the header's own mistake"
grep -q "in 1 file" output || fail "the header is one file"
check 0 --no-context lib/net.h
echo "ok"
