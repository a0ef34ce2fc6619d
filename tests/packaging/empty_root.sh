#!/bin/bash
# The wheel and the .deb in an empty Debian, made by debootstrap: no LLVM, no libtorch, no Python packages.
# By hand and as root, with the network; LIBTORCH names a libtorch's folder (default: that of Debian).
#   ./bazelw build //packaging:wheel //packaging:deb //packaging:tarball && tests/packaging/empty_root.sh [SUITE [FOLDER]]
set -euo pipefail
cd "$(dirname "$0")/../.."
suite=${1:-trixie}
packages=${PACKAGES:-bazel-bin/packaging}
root=${2:-$(mktemp -d)/root}
[ -e "$root/bin/sh" ] || debootstrap --variant=minbase "$suite" "$root" http://deb.debian.org/debian

fail() { echo "FAILED: $*" >&2; exit 1; }
inside() { "$(command -v chroot)" "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive "$@"; }

echo "== the program alone"
rm -rf "$root/opt/placecheck" && mkdir -p "$root/opt/placecheck"
tar -xzf "$packages"/tarball/*.tar.gz -C "$root/opt/placecheck" --strip-components=1
inside /opt/placecheck/bin/placecheck --version
mkdir -p "$root/project"
cat >"$root/project/scale.cc" <<'END'
extern "C" {
int cublasCreate_v2(void** handle);
int cublasSscal_v2(void* handle, int count, const float* alpha, void* values, int step);
void* malloc(unsigned long bytes);
}
int main() {
  void* handle = nullptr;
  cublasCreate_v2(&handle);
  const float alpha = 0.5f;
  cublasSscal_v2(handle, 16, &alpha, malloc(64), 1);
}
END
status=0
inside /opt/placecheck/bin/placecheck /project/scale.cc || status=$?
[ "$status" -eq 1 ] || fail "a program without headers: ends with $status, not 1"

echo "== a libtorch in a folder, and a C++ standard library"
inside apt-get install -y -qq --no-install-recommends libstdc++-12-dev >/dev/null 2>&1 ||
  inside apt-get install -y -qq --no-install-recommends libstdc++-14-dev >/dev/null
libtorch=$root/opt/libtorch
mkdir -p "$libtorch/include"
if [ -n "${LIBTORCH:-}" ]; then
  cp -r "$LIBTORCH/include" "$libtorch/"
else
  for folder in torch ATen c10 caffe2 gflags glog google; do cp -rL "/usr/include/$folder" "$libtorch/include/"; done
fi
cat >"$root/project/train.cc" <<'END'
#include <torch/torch.h>
int main() {
  auto net = torch::nn::Linear(4, 2);
  net->to(torch::kCUDA);
  auto batch = torch::rand({2, 4});
  auto out = net->forward(batch);
}
END
status=0
inside /opt/placecheck/bin/placecheck /project/train.cc | tee "$root/project/output" || status=$?
[ "$status" -eq 1 ] || fail "a program with libtorch: ends with $status, not 1"
grep -q '\[device-mismatch\]' "$root/project/output" || fail "the mismatch is not found"
! grep -q 'partly understood' "$root/project/output" || fail "libtorch is not understood"

echo "== the .deb"
cp "$packages"/deb/*.deb "$root/project/placecheck.deb"
inside dpkg -i /project/placecheck.deb >/dev/null
inside placecheck --quiet /project/train.cc >/dev/null && fail "the .deb finds nothing"
inside dpkg -r placecheck >/dev/null

echo "== the wheel"
inside apt-get install -y -qq --no-install-recommends python3 python3-venv >/dev/null
cp "$packages"/wheel/*.whl "$root/project/"
inside python3 -m venv /project/venv
inside sh -c '/project/venv/bin/pip install --no-index --force-reinstall /project/*.whl' >/dev/null
inside /project/venv/bin/placecheck --quiet /project/train.cc >/dev/null && fail "the wheel finds nothing"
inside /project/venv/bin/placecheck-run --version
echo "ok: $suite"
