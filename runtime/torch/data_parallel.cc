#include "runtime/torch/data_parallel.h"

#include <c10/core/impl/VirtualGuardImpl.h>
#include <torch/cuda.h>

#include <string>

#include "rules/data_parallel_placement.h"
#include "rules/facts.h"
#include "rules/invalid_device.h"
#include "runtime/cuda/include/cuda_runtime_api.h"
#include "runtime/parallel/common/balance.h"
#include "runtime/torch/virtual_cuda/rule_error.h"

// Of the CUDA runtime that libtorch brings along, if it does: with CUDA's headers this would need
// the toolkit.
extern "C" {
[[gnu::weak]] cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device);
[[gnu::weak]] cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device);
}

namespace placecheck::parallel {
namespace {

// Releases of CUDA have longer records, which begin like ours.
union DeviceRecord {
  cudaDeviceProp properties;
  char bytes[4096];
};

std::optional<GpuSize> size_of(int device) {
  if (&cudaGetDeviceProperties == nullptr || &cudaDeviceGetAttribute == nullptr) return {};
  DeviceRecord record{};
  int processors = 0;
  if (cudaGetDeviceProperties(&record.properties, device) != cudaSuccess) return {};
  if (cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device) != cudaSuccess) {
    return {};
  }
  return GpuSize{device, static_cast<std::int64_t>(record.properties.totalGlobalMem), processors};
}

// A live device as a fact; devices other than CPU and CUDA are beyond the rules.
rules::DeviceFact to_fact(torch::Device device) {
  if (device.is_cpu()) return rules::DeviceFact::cpu();
  if (!device.is_cuda()) return rules::DeviceFact::unknown();
  if (!device.has_index()) return rules::DeviceFact::cuda_any_index();
  return rules::DeviceFact::cuda(static_cast<std::uint32_t>(device.index()));
}

}  // namespace

std::vector<torch::Device> DeviceIds::resolved() const {
  std::vector<torch::Device> resolved;
  if (!torch::cuda::is_available()) return resolved;
  const auto count = static_cast<torch::DeviceIndex>(torch::cuda::device_count());
  if (devices_.empty()) {
    for (torch::DeviceIndex i = 0; i < count; ++i) resolved.emplace_back(torch::kCUDA, i);
  }
  for (torch::Device device : devices_) {
    if (!device.is_cuda()) {
      refuse(PythonError::kValue,
             runtime::text_of("Expected a non cpu device, but got: ", device.str()));
    }
    if (!device.has_index()) device = c10::impl::VirtualGuardImpl(torch::kCUDA).getDevice();
    if (device.index() >= count)
      throw virtual_cuda::RuleError(rules::invalid_device::kRule, "Invalid device id");
    resolved.push_back(device);
  }
  return resolved;
}

void check_balance(const std::vector<torch::Device>& devices) {
  std::vector<GpuSize> gpus;
  for (const torch::Device device : devices) {
    const auto size = size_of(device.index());
    if (!size) return;
    gpus.push_back(*size);
  }
  const std::string warning = imbalance_warning(gpus);
  if (!warning.empty()) TORCH_WARN(warning);
}

void check_placement(const torch::nn::Module& module, torch::Device first_device) {
  namespace rule = rules::data_parallel_placement;
  const auto check = [&](const torch::Tensor& state) {
    if (rule::judge(to_fact(state.device()), to_fact(first_device)) != rules::Verdict::kBroken) {
      return;
    }
    throw virtual_cuda::RuleError(rule::kRule,
                                  rule::message(first_device.str(), state.device().str()));
  };
  for (const torch::Tensor& parameter : module.parameters()) check(parameter);
  for (const torch::Tensor& buffer : module.buffers()) check(buffer);
}

}  // namespace placecheck::parallel
