#!/bin/bash
# What GPUs share, as --assume or the configuration says, silences the findings that it makes lawful,
# and no others.
#   assume_test.sh ANALYZER
set -eu
. ./tests/driver/scratch_folder.sh

cat >memory.cc <<'END'
extern "C" {
int cudaMalloc(void** memory, unsigned long bytes);
int cublasCreate_v2(void** handle);
int cublasSscal_v2(void* handle, int count, const float* alpha, void* values, int step);
int cudaSetDevice(int device);
void* malloc(unsigned long bytes);
}
int main() {
  void* on_host = malloc(64);
  void* on_second = nullptr;
  cudaSetDevice(1);
  cudaMalloc(&on_second, 64);
  cudaSetDevice(0);
  void* handle = nullptr;
  cublasCreate_v2(&handle);
  const float alpha = 0.5f;
  cublasSscal_v2(handle, 16, &alpha, on_host, 1);
  cublasSscal_v2(handle, 16, &alpha, on_second, 1);
}
END

fail() {
  echo "FAILED: $1; it said:"
  cat output
  exit 1
}

expect() { # STATUS RULES ARGUMENTS...
  local wanted=$1 rules=$2 status=0
  shift 2
  "$analyzer" --no-cache "$@" memory.cc >output 2>&1 || status=$?
  [ "$status" -eq "$wanted" ] || fail "ends with $wanted, not $status: $*"
  [ "$(grep -o '\[cuda-[a-z-]*\]' output | tr -d '[]' | paste -sd ' ')" = "$rules" ] ||
    fail "finds '$rules': $*"
}

expect 1 "cuda-pointer-placement cuda-current-device"
expect 1 "cuda-current-device" --assume=hmm
expect 1 "cuda-pointer-placement" --assume=peers
expect 0 "" --assume=hmm,peers
echo 'assume: [hmm]' >.placecheck.yaml
expect 1 "cuda-current-device"
expect 0 "" --assume=hmm,peers
expect 2 "" --assume=magic
echo "ok"
