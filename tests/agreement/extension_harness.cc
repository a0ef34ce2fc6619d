// Calls what extensions export, with tensors on the current device and on another one. The virtual
// runtime judges their launches; which device a call leaves current is judged here.
#include <ATen/ATen.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/util/Exception.h>
#include <dlfcn.h>

#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/agreement/extension_binding.h"
#include "tests/agreement/harness.h"

namespace placecheck::agreement {
namespace {

std::map<std::string, std::vector<Export>, std::less<>>& exports_by_file() {
  static auto* const exports = new std::map<std::string, std::vector<Export>, std::less<>>;
  return *exports;
}

// As the runtime reports: the rule, what is wrong, and the stack, which is the function alone.
void report(std::string_view rule, const std::string& message, const void* function) {
  const char* file = std::getenv("PLACECHECK_CUDA_REPORT");
  std::ofstream out(file == nullptr ? "/dev/stderr" : file, std::ios::app);
  out << rule << ": " << message << '\n';
  Dl_info info{};
  if (function == nullptr || dladdr(function, &info) == 0) return;
  const auto offset = static_cast<const char*>(function) - static_cast<const char*>(info.dli_fbase);
  out << "  " << info.dli_fname << "+0x" << std::hex << offset << std::dec << '\n';
}

// Whether the call came to its end.
bool call(const Export& each, const Form& form, at::DeviceIndex current, int& tensors) {
  c10::cuda::set_device(current);
  bool is_done = true;
  try {
    tensors = each.call(form);
  } catch (const std::exception&) {
    is_done = false;
  }
  if (const auto left = c10::cuda::current_device(); left != current) {
    report("leaked-current-device",
           each.name + " leaves cuda:" + std::to_string(static_cast<int>(left)) + " current",
           each.address);
  }
  return is_done;
}

// With the first tensors that the function accepts; how many it takes, -1 where it accepts none.
int call_with_some(const Export& each, Form form, at::DeviceIndex current) {
  const std::vector<std::vector<int64_t>> shapes = {{32}, {8, 4}, {2, 4, 4}, {2, 2, 4, 4}};
  for (const at::ScalarType type : {at::kFloat, at::kInt, at::kLong, at::kHalf}) {
    for (const std::vector<int64_t>& sizes : shapes) {
      for (const int of_indices : {-1, 0, 1, 2}) {
        form.sizes = sizes;
        form.type = type;
        form.of_indices = of_indices;
        int tensors = 0;
        if (call(each, form, current, tensors)) return tensors;
      }
    }
  }
  return -1;
}

void call_on_devices(const Export& each) {
  bool is_called = false;
  for (const auto& [device, current] :
       std::vector<std::pair<at::DeviceIndex, at::DeviceIndex>>{{1, 0}, {1, 1}, {0, 1}}) {
    for (const int number : {1, 0}) {
      is_called =
          call_with_some(each, {.device = device, .number = number}, current) >= 0 || is_called;
    }
  }
  int tensors = 0;
  call(each, {.device = 1, .sizes = {0}}, 0, tensors);
  if (!is_called) std::cerr << each.name << " accepts no tensors\n";
}

// Each operand but the first on the CPU once, the others on cuda:1.
void call_with_host_operands(const Export& each, at::DeviceIndex current) {
  const int tensors = call_with_some(each, {.device = 1}, 1);
  for (int i = 1; i < tensors; ++i) call_with_some(each, {.device = 1, .on_host = i}, current);
}

}  // namespace

at::Tensor Arguments::tensor() {
  const int number = tensors_++;
  const at::Device device =
      number == form_.on_host ? at::Device(at::kCPU) : at::Device(at::kCUDA, form_.device);
  const at::ScalarType type = number == form_.of_indices ? at::kLong : form_.type;
  return at::ones(form_.sizes, at::TensorOptions().dtype(type).device(device));
}

Registration::Registration(std::string_view file, void (*bind)(Exports&)) {
  const std::size_t folder = file.rfind("testdata/");
  Exports exports(exports_by_file()[std::string(file.substr(folder + sizeof("testdata/") - 1))]);
  bind(exports);
}

const std::vector<Export>& exports_of(const std::string& file) { return exports_by_file()[file]; }

void prepare() {}

int run_extension(int /*count*/, char** arguments) {
  const std::string name = arguments[0];
  const std::vector<Export>& exports = exports_of(name);
  for (const Export& each : exports) {
    if (name.starts_with("unchecked-operand-device/")) {
      call_with_host_operands(each, 1);
    } else {
      call_on_devices(each);
    }
    if (name.starts_with("wrong-device-guard/")) call_with_host_operands(each, 0);
  }
  return exports.empty() ? 2 : 0;
}

}  // namespace placecheck::agreement
