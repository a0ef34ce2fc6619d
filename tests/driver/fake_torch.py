"""A libtorch of one screen, for tests of what surrounds the analysis: it parses in no time."""
import os

HEADER = """\
#pragma once
#include <initializer_list>
namespace c10 {
enum class DeviceType : signed char { CPU = 0, CUDA = 1 };
struct Device { Device(DeviceType); };
struct TensorOptions { TensorOptions(); TensorOptions(DeviceType); TensorOptions(Device); };
}
namespace at {
struct Tensor { Tensor operator+(const Tensor&) const; Tensor to(c10::Device) const; };
}
namespace torch {
using at::Tensor;
using c10::Device;
constexpr c10::DeviceType kCUDA = c10::DeviceType::CUDA;
constexpr c10::DeviceType kCPU = c10::DeviceType::CPU;
Tensor ones(std::initializer_list<long>, c10::TensorOptions = {});
}
"""

# One finding: device-mismatch. Not through torch/torch.h, of which placecheck expects the standard
# library too.
BROKEN = """\
#include <tiny_torch.h>
int main() {
  auto x = torch::ones({2}, torch::kCUDA);
  auto y = torch::ones({2});
  auto z = x + y;
}
"""

# Of which no compiler sees the end: each level has two of the next.
ENDLESS = """\
template <int N, long M> struct F {
  using x = typename F<N - 1, 2 * M>::x;
  using y = typename F<N - 1, 2 * M + 1>::y;
};
template <long M> struct F<0, M> { using x = int; using y = int; };
F<60, 0> f;
"""


def install(folder: str) -> str:
    """Writes the header below `folder`; what it returns is a value for $LIBTORCH."""
    place = os.path.join(folder, "include/torch/csrc/api/include/torch")
    os.makedirs(place)
    for name in [os.path.join(place, "torch.h"), os.path.join(folder, "include/tiny_torch.h")]:
        with open(name, "w", encoding="utf-8") as out:
            out.write(HEADER)
    return folder
