// Kernels: functors over an index, written once for host and device.
//   struct Fill { static constexpr const char* kName = "fill"; float* out; float value;
//                 PLACECHECK_HD void operator()(std::int64_t i) const { out[i] = value; } };
// A functor is trivially copyable, holds raw pointers, and writes nothing that another index
// writes. The host runs ranges of indices; where the CUDA backend is linked, it has filled in the
// device's half of the entry of each kernel that all_kernels.h lists.
#ifndef PLACECHECK_RUNTIME_BACKEND_KERNEL_H_
#define PLACECHECK_RUNTIME_BACKEND_KERNEL_H_

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "runtime/core/host_device.h"  // IWYU pragma: export

namespace placecheck::runtime {

struct KernelEntry {
  const char* name;
  void (*host)(const void* kernel, std::int64_t begin, std::int64_t end);
  // Enqueues all indices on a CUDA stream; null where there is no CUDA backend.
  void (*device)(const void* kernel, std::int64_t count, void* stream);
};

inline constexpr std::size_t kMaxKernelBytes = 512;

template <typename Kernel>
void run_on_host(const void* bytes, std::int64_t begin, std::int64_t end) {
  const Kernel kernel = *static_cast<const Kernel*>(bytes);
  for (std::int64_t i = begin; i < end; ++i) kernel(i);
}

// A kernel may know a better way through a range on a host.
template <typename Kernel>
concept Ranged = requires(const Kernel& kernel) { kernel.host_range(0, 0); };

template <Ranged Kernel>
void run_range(const void* bytes, std::int64_t begin, std::int64_t end) {
  static_cast<const Kernel*>(bytes)->host_range(begin, end);
}

// A kernel whose work is not by index (a matrix product) has a member run() and count 1.
template <typename Kernel>
concept Whole = requires(const Kernel& kernel) { kernel.run(); };

template <Whole Kernel>
void run_whole(const void* bytes, std::int64_t, std::int64_t) {
  static_cast<const Kernel*>(bytes)->run();
}

// About how many numbers a kernel touches: an index is one, unless it says otherwise.
template <typename Kernel>
std::int64_t work_of(const Kernel& kernel, std::int64_t count) {
  if constexpr (requires { kernel.index_work(); }) {
    return count * kernel.index_work();
  } else {
    return count;
  }
}

template <typename Kernel>
constexpr KernelEntry host_entry() noexcept {
  static_assert(std::is_trivially_copyable_v<Kernel> && sizeof(Kernel) <= kMaxKernelBytes);
  if constexpr (Whole<Kernel>) {
    return {Kernel::kName, &run_whole<Kernel>, nullptr};
  } else if constexpr (Ranged<Kernel>) {
    return {Kernel::kName, &run_range<Kernel>, nullptr};
  } else {
    return {Kernel::kName, &run_on_host<Kernel>, nullptr};
  }
}

// What an index found that must not be: an assertion on a device, an exception on a host.
class KernelAssertion {};

PLACECHECK_HD inline void kernel_assert(bool holds) {
  if (holds) return;
#ifdef __CUDA_ARCH__
  __trap();
#else
  throw KernelAssertion();
#endif
}

// Written once, by the CUDA backend before it serves its first device.
template <typename Kernel>
inline KernelEntry kernel_entry = host_entry<Kernel>();

}  // namespace placecheck::runtime

#endif  // PLACECHECK_RUNTIME_BACKEND_KERNEL_H_
