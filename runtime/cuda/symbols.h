// The variables and kernels that compilers announce before main() begins. Thread-safe.
#ifndef PLACECHECK_RUNTIME_CUDA_SYMBOLS_H_
#define PLACECHECK_RUNTIME_CUDA_SYMBOLS_H_

#include <cstddef>
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
// None for what was not announced.
std::optional<Kernel> kernel_of(const void* function);

// A variable of every device, which the host knows by `symbol`.
void add_symbol(const void* symbol, std::size_t bytes);
// On the current device; null for what is no symbol.
char* memory_of_symbol(const void* symbol);
std::size_t bytes_of_symbol(const void* symbol);

}  // namespace placecheck::cuda

#endif  // PLACECHECK_RUNTIME_CUDA_SYMBOLS_H_
