// The kernels that compilers announce before main() begins. Thread-safe.
#ifndef PLACECHECK_RUNTIME_CUDA_KERNELS_H_
#define PLACECHECK_RUNTIME_CUDA_KERNELS_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace placecheck::cuda {

// Which parameters of a function are pointers, by its demangled name, "scale<float>(float*, int)";
// empty for a name without parameters.
std::vector<bool> pointers_of(std::string_view signature);

struct Kernel {
  std::string name;  // "scale<float>"
  std::vector<bool> is_pointer;
};

// `function` is what the host calls it by.
void add_kernel(const void* function, const char* mangled);
// Another handle of the same kernel.
void add_alias(const void* handle, const void* function);
// None for what was not announced.
std::optional<Kernel> kernel_of(const void* function);

// Judges what a kernel on the current device is given by pointers (witness.h).
bool judge_arguments(const Kernel& kernel, void** arguments);

}  // namespace placecheck::cuda

#endif  // PLACECHECK_RUNTIME_CUDA_KERNELS_H_
