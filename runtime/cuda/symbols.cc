#include "runtime/cuda/symbols.h"

#include <map>
#include <mutex>
#include <utility>

#include "runtime/cuda/devices.h"
#include "runtime/cuda/errors.h"
#include "runtime/cuda/include/cuda_runtime_api.h"
#include "runtime/cuda/memory.h"

namespace placecheck::cuda {
namespace {

struct Symbols {
  std::mutex mutex;
  std::map<const void*, std::size_t> variables;
  std::map<std::pair<const void*, int>, void*> memory;  // by device
};

// Never destroyed: used before main() begins and after it ends.
Symbols& the_symbols() {
  static auto* symbols = new Symbols;
  return *symbols;
}

}  // namespace

void add_symbol(const void* symbol, std::size_t bytes) {
  Symbols& symbols = the_symbols();
  std::lock_guard<std::mutex> lock(symbols.mutex);
  symbols.variables[symbol] = bytes;
}

std::size_t bytes_of_symbol(const void* symbol) {
  Symbols& symbols = the_symbols();
  std::lock_guard<std::mutex> lock(symbols.mutex);
  const auto found = symbols.variables.find(symbol);
  return found == symbols.variables.end() ? 0 : found->second;
}

char* memory_of_symbol(const void* symbol) {
  const std::size_t bytes = bytes_of_symbol(symbol);
  if (bytes == 0) return nullptr;
  Symbols& symbols = the_symbols();
  std::lock_guard<std::mutex> lock(symbols.mutex);
  void*& memory = symbols.memory[{symbol, current_device()}];
  if (memory == nullptr) memory = allocate(MemoryKind::kDevice, current_device(), bytes);
  return static_cast<char*>(memory);
}

}  // namespace placecheck::cuda

using placecheck::cuda::finish;

cudaError_t cudaGetSymbolAddress(void** pointer, const void* symbol) {
  *pointer = placecheck::cuda::memory_of_symbol(symbol);
  return finish(*pointer == nullptr ? cudaErrorInvalidSymbol : cudaSuccess);
}

cudaError_t cudaGetSymbolSize(size_t* bytes, const void* symbol) {
  *bytes = placecheck::cuda::bytes_of_symbol(symbol);
  return finish(*bytes == 0 ? cudaErrorInvalidSymbol : cudaSuccess);
}
