// The variables that compilers announce before main() begins. Thread-safe.
#ifndef PLACECHECK_RUNTIME_CUDA_SYMBOLS_H_
#define PLACECHECK_RUNTIME_CUDA_SYMBOLS_H_

#include <cstddef>

namespace placecheck::cuda {

// A variable of every device, which the host knows by `symbol`.
void add_symbol(const void* symbol, std::size_t bytes);
// On the current device; null for what is no symbol.
char* memory_of_symbol(const void* symbol);
std::size_t bytes_of_symbol(const void* symbol);

}  // namespace placecheck::cuda

#endif  // PLACECHECK_RUNTIME_CUDA_SYMBOLS_H_
