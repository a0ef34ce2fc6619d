// DataParallel: runs one libtorch module on several CUDA devices, a slice of the batch on each, and
// checks what libtorch's own data_parallel does not: that the module is where it must be.
//
//   placecheck::parallel::DataParallel net(model, {0, 1});
//   net.to(torch::Device("cuda:0"));
//   torch::Tensor output = net.forward(batch);  // on cuda:0; `batch` may be anywhere
//
// Ownership: shares the wrapped module, which is registered as its child "module", so every key of
// its state begins with "module.". Threads: one at a time, as for any module. Errors:
// core::RuleError (data-parallel-placement); whatever the module's forward throws.
#ifndef PLACECHECK_RUNTIME_TORCH_DATA_PARALLEL_H_
#define PLACECHECK_RUNTIME_TORCH_DATA_PARALLEL_H_

#include <torch/cuda.h>
#include <torch/nn/module.h>
#include <torch/nn/modules/container/any.h>
#include <torch/nn/pimpl.h>
#include <torch/types.h>

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "rules/data_parallel_placement.h"
#include "rules/facts.h"
#include "runtime/core/error.h"

namespace placecheck::parallel {

// CUDA devices by index or by name; none means all that are visible.
class DeviceIds {
 public:
  DeviceIds() = default;
  DeviceIds(std::initializer_list<int> indices) : DeviceIds(std::vector<int>(indices)) {}
  DeviceIds(std::initializer_list<torch::Device> devices) : devices_(devices) {}
  DeviceIds(std::vector<torch::Device> devices) : devices_(std::move(devices)) {}
  DeviceIds(const std::vector<int>& indices) {
    for (int index : indices) {
      devices_.emplace_back(torch::kCUDA, static_cast<torch::DeviceIndex>(index));
    }
  }

  const std::vector<torch::Device>& devices() const { return devices_; }

 private:
  std::vector<torch::Device> devices_;
};

// A live device as a fact; devices other than CPU and CUDA are beyond the rules.
inline rules::DeviceFact to_fact(torch::Device device) {
  if (device.is_cpu()) return rules::DeviceFact::cpu();
  if (!device.is_cuda()) return rules::DeviceFact::unknown();
  if (!device.has_index()) return rules::DeviceFact::cuda_any_index();
  return rules::DeviceFact::cuda(static_cast<std::uint32_t>(device.index()));
}

// Throws RuleError unless every parameter and buffer of `module` is on `first_device`; parameters
// are looked at first.
inline void check_placement(const torch::nn::Module& module, torch::Device first_device) {
  namespace rule = rules::data_parallel_placement;
  const auto check = [&](const torch::Tensor& state) {
    if (rule::judge(to_fact(state.device()), to_fact(first_device)) != rules::Verdict::kBroken) {
      return;
    }
    throw core::RuleError(rule::kRule, rule::message(first_device.str(), state.device().str()));
  };
  for (const torch::Tensor& parameter : module.parameters()) check(parameter);
  for (const torch::Tensor& buffer : module.buffers()) check(buffer);
}

class DataParallel : public torch::nn::Module {
 public:
  // `output_device` is device_ids[0] where none is given; `dim` is the batch dimension. With a
  // single device the module is moved there now; with several, moving it to the first is the
  // caller's part, before or after wrapping. Without a CUDA device `device_ids` is ignored and
  // forward passes through.
  template <typename ModuleType>
  explicit DataParallel(std::shared_ptr<ModuleType> module, DeviceIds device_ids = {},
                        std::optional<torch::Device> output_device = std::nullopt,
                        std::int64_t dim = 0)
      : torch::nn::Module("DataParallel"),
        module_(register_module("module", module)),
        callable_(std::move(module)),
        device_ids_(resolve(device_ids)),
        output_device_(output_device),
        dim_(dim) {
    if (device_ids_.empty()) return;
    if (!output_device_) output_device_ = device_ids_.front();
    if (device_ids_.size() == 1) module_->to(device_ids_.front());
  }

  // The same for a holder, as TORCH_MODULE makes them.
  template <typename ModuleType>
  explicit DataParallel(torch::nn::ModuleHolder<ModuleType> module, DeviceIds device_ids = {},
                        std::optional<torch::Device> output_device = std::nullopt,
                        std::int64_t dim = 0)
      : DataParallel(module.ptr(), std::move(device_ids), output_device, dim) {}

  // Checks placement, splits `input` along `dim` over the devices, runs the replicas and gathers
  // their outputs on the output device. The input may be on any device. to(), parameters(), train()
  // and eval() are those of torch::nn::Module and reach the wrapped module.
  torch::Tensor forward(torch::Tensor input);

  // The wrapped module: for its own members, and to save keys without "module.".
  const std::shared_ptr<torch::nn::Module>& module() const { return module_; }

  const std::vector<torch::Device>& device_ids() const { return device_ids_; }
  std::optional<torch::Device> output_device() const { return output_device_; }
  std::int64_t dim() const { return dim_; }

 private:
  static std::vector<torch::Device> resolve(const DeviceIds& device_ids) {
    std::vector<torch::Device> devices;
    if (!torch::cuda::is_available()) return devices;
    if (!device_ids.devices().empty()) return device_ids.devices();
    const auto count = static_cast<torch::DeviceIndex>(torch::cuda::device_count());
    for (torch::DeviceIndex i = 0; i < count; ++i) devices.emplace_back(torch::kCUDA, i);
    return devices;
  }

  std::shared_ptr<torch::nn::Module> module_;
  torch::nn::AnyModule callable_;
  std::vector<torch::Device> device_ids_;
  std::optional<torch::Device> output_device_;
  std::int64_t dim_;
};

}  // namespace placecheck::parallel

#endif  // PLACECHECK_RUNTIME_TORCH_DATA_PARALLEL_H_
