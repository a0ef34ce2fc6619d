// The functions of libtorch_cuda's half of torch.distributed that PyTorch's bindings call when they
// are loaded. Process groups over virtual GPUs are runtime/torch/python/process_group.
#include <malloc.h>

#include <chrono>
#include <cstring>
#include <new>
#include <torch/csrc/distributed/c10d/Backend.hpp>

namespace c10d {

// Tells whether a thread holds Python's lock; the bindings set it.
using gil_checker_t = bool (*)();
gil_checker_t& get_gil_checker() {
  static gil_checker_t checker = nullptr;
  return checker;
}

namespace nvshmem_extension {
bool is_nvshmem_available() { return false; }
}  // namespace nvshmem_extension

}  // namespace c10d

namespace {

// ProcessGroupNCCL::Options on the heap, where the bindings make one as a default argument. Its
// layout is that of one release of NCCL, and nothing reads it: the base is made, and the rest is
// zero, so that there is nothing to destroy.
void make_options(void* options, bool /*is_high_priority*/) {
  constexpr std::chrono::minutes kTimeout(10);  // kProcessGroupNCCLDefaultTimeout
  std::memset(options, 0, malloc_usable_size(options));
  new (options) c10d::Backend::Options("nccl", kTimeout);
}

}  // namespace

// ProcessGroupNCCL::Options::Options(bool), in its two forms.
extern "C" {
__attribute__((visibility("default"))) void _ZN4c10d16ProcessGroupNCCL7OptionsC1Eb(void* options,
                                                                                   bool is_high) {
  make_options(options, is_high);
}
__attribute__((visibility("default"))) void _ZN4c10d16ProcessGroupNCCL7OptionsC2Eb(void* options,
                                                                                   bool is_high) {
  make_options(options, is_high);
}
}
