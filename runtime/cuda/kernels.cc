#include "runtime/cuda/kernels.h"

#include <cxxabi.h>

#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "runtime/cuda/devices.h"
#include "runtime/cuda/witness.h"

namespace placecheck::cuda {
namespace {

struct Kernels {
  std::mutex mutex;
  std::map<const void*, Kernel> by_function;
};

// Never destroyed: used before main() begins and after it ends.
Kernels& the_kernels() {
  static auto* kernels = new Kernels;
  return *kernels;
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
  Kernels& kernels = the_kernels();
  std::lock_guard<std::mutex> lock(kernels.mutex);
  kernels.by_function.insert_or_assign(function, std::move(kernel));
}

std::optional<Kernel> kernel_of(const void* function) {
  Kernels& kernels = the_kernels();
  std::lock_guard<std::mutex> lock(kernels.mutex);
  const auto found = kernels.by_function.find(function);
  if (found == kernels.by_function.end()) return std::nullopt;
  return found->second;
}

void add_alias(const void* handle, const void* function) {
  Kernels& kernels = the_kernels();
  std::lock_guard<std::mutex> lock(kernels.mutex);
  const auto found = kernels.by_function.find(function);
  if (found != kernels.by_function.end()) kernels.by_function.try_emplace(handle, found->second);
}

bool judge_arguments(const Kernel& kernel, void** arguments) {
  bool is_reached = true;
  for (std::size_t i = 0; i < kernel.is_pointer.size(); ++i) {
    if (!kernel.is_pointer[i]) continue;
    const void* pointer = *static_cast<void**>(arguments[i]);
    is_reached = judge_use(pointer, current_device(), kernel.name) && is_reached;
  }
  return is_reached;
}

}  // namespace placecheck::cuda
