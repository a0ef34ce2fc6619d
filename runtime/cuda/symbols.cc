#include "runtime/cuda/symbols.h"

#include <cxxabi.h>

#include <cstdlib>
#include <map>
#include <memory>
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
  std::map<const void*, Kernel> kernels;
  std::map<const void*, std::size_t> variables;
  std::map<std::pair<const void*, int>, void*> memory;  // by device
};

// Never destroyed: used before main() begins and after it ends.
Symbols& the_symbols() {
  static auto* symbols = new Symbols;
  return *symbols;
}

// Where the list of parameters begins: the bracket that the last one closes.
std::size_t parameters_at(std::string_view signature) {
  int depth = 0;
  const std::size_t last = signature.rfind(')');
  for (std::size_t i = last; i != 0 && i != std::string_view::npos; --i) {
    if (signature[i] == ')') ++depth;
    if (signature[i] == '(' && --depth == 0) return i;
  }
  return std::string_view::npos;
}

std::string demangled(const char* mangled) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(mangled, nullptr, nullptr, &status), &std::free);
  return status == 0 ? text.get() : mangled;
}

}  // namespace

std::vector<bool> pointers_of(std::string_view signature) {
  std::vector<bool> result;
  const std::size_t begin = parameters_at(signature);
  if (begin == std::string_view::npos) return result;
  const std::size_t end = signature.rfind(')');
  if (end == begin + 1) return result;
  int depth = 0;
  for (std::size_t i = begin + 1; i <= end; ++i) {
    const char c = signature[i];
    const bool ends_parameter = depth == 0 && (c == ',' || i == end);
    if (ends_parameter) result.push_back(signature[i - 1] == '*');
    if (c == '(' || c == '<' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == '>' || c == ']' || c == '}') --depth;
  }
  return result;
}

void add_kernel(const void* function, const char* mangled) {
  const std::string signature = demangled(mangled);
  Kernel kernel{signature.substr(0, parameters_at(signature)), pointers_of(signature)};
  Symbols& symbols = the_symbols();
  std::lock_guard<std::mutex> lock(symbols.mutex);
  symbols.kernels.insert_or_assign(function, std::move(kernel));
}

std::optional<Kernel> kernel_of(const void* function) {
  Symbols& symbols = the_symbols();
  std::lock_guard<std::mutex> lock(symbols.mutex);
  const auto found = symbols.kernels.find(function);
  if (found == symbols.kernels.end()) return std::nullopt;
  return found->second;
}

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
