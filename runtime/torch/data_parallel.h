// DataParallel: runs one libtorch module on several CUDA devices, a slice of the batch on each,
// with the semantics of torch.nn.DataParallel, and checks what libtorch's own data_parallel does
// not: that the module is where it must be.
//
//   placecheck::parallel::DataParallel net(model, {0, 1});
//   net.to(torch::Device("cuda:0"));
//   torch::Tensor output = net.forward(batch);  // on cuda:0; `batch` may be anywhere
//   auto [scores, state] = net.call<std::tuple<torch::Tensor, torch::Tensor>>(batch, state);
//
// Inputs and outputs are tensors and the containers of runtime/parallel/common/parts.h and
// torch::OrderedDict; anything else is the same for every device. The module is replicated by its
// clone(): it and its children derive from torch::nn::Cloneable. Every replica is a copy, so what a
// forward writes to members is lost; registered buffers of the first replica share the module's
// memory.
//
// Ownership: shares the wrapped module, which is registered as its child "module", so every key of
// its state begins with "module.". Threads: one forward at a time. Errors: c10::Error with
// PyTorch's texts; virtual_cuda::RuleError, which is one, for data-parallel-placement and
// invalid-device; what a replica throws, as the kind it was, with the replica's number and device.
//
// Where PyTorch's behaviour is a known bug, this does what is meant; see compat.h for the switch.
// GPUs of unequal size are warned of where the CUDA runtime is in the process, which tells their
// sizes.
#ifndef PLACECHECK_RUNTIME_TORCH_DATA_PARALLEL_H_
#define PLACECHECK_RUNTIME_TORCH_DATA_PARALLEL_H_

#include <torch/nn/module.h>
#include <torch/nn/modules/container/any.h>
#include <torch/nn/pimpl.h>
#include <torch/types.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "runtime/parallel/common/compat.h"
#include "runtime/parallel/common/parts.h"
#include "runtime/parallel/common/replica_threads.h"
#include "runtime/torch/replicas.h"

namespace placecheck::parallel {

// CUDA devices by index or by name; not given, all that are visible.
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

  // The devices, each with its index: that of the current device where the name has none. None at
  // all without CUDA. Throws c10::ValueError for the CPU, RuleError for a device that is not there.
  std::vector<torch::Device> resolved() const;

 private:
  std::vector<torch::Device> devices_;
};

// PyTorch's warning where one of the devices is much smaller than another.
void check_balance(const std::vector<torch::Device>& devices);

// Throws RuleError unless every parameter and buffer of `module` is on `first_device`; parameters
// are looked at first.
void check_placement(const torch::nn::Module& module, torch::Device first_device);

class DataParallel : public torch::nn::Module {
 public:
  // `output_device` is device_ids[0] where none is given; `dim` is the batch dimension. With a
  // single device the module is moved there now; with several, moving it to the first is the
  // caller's part, before or after wrapping. Without a CUDA device `device_ids` is ignored and
  // forward passes through.
  template <typename ModuleType>
  explicit DataParallel(std::shared_ptr<ModuleType> module, const DeviceIds& device_ids = {},
                        std::optional<torch::Device> output_device = std::nullopt,
                        std::int64_t dim = 0, const Compat& compat = {})
      : torch::nn::Module("DataParallel"),
        module_(register_module("module", module)),
        callable_(std::move(module)),
        device_ids_(device_ids.resolved()),
        output_device_(output_device),
        dim_(dim),
        compat_(compat) {
    if (device_ids_.empty()) return;
    check_balance(device_ids_);
    if (!output_device_) output_device_ = device_ids_.front();
    if (device_ids_.size() == 1) module_->to(device_ids_.front());
  }

  // The same for a holder, as TORCH_MODULE makes them.
  template <typename ModuleType>
  explicit DataParallel(torch::nn::ModuleHolder<ModuleType> module,
                        const DeviceIds& device_ids = {},
                        std::optional<torch::Device> output_device = std::nullopt,
                        std::int64_t dim = 0, const Compat& compat = {})
      : DataParallel(module.ptr(), device_ids, output_device, dim, compat) {}

  // Checks placement, splits `input` along `dim` over the devices, runs the replicas and gathers
  // their outputs on the output device; with a single device there is nothing to gather. The input
  // may be on any device. to(), parameters(), train() and eval() are those of torch::nn::Module and
  // reach the wrapped module.
  torch::Tensor forward(torch::Tensor input) { return call(std::move(input)); }

  // The same for a module whose forward takes `inputs` and returns an `Output`. As with
  // torch::nn::AnyModule, their types are those of that forward.
  template <typename Output = torch::Tensor, typename... Inputs>
  Output call(Inputs... inputs) {
    const std::tuple<Inputs...> all(std::move(inputs)...);
    if (device_ids_.empty()) return forward_on<Output>(callable_, all);
    check_placement(*module_, device_ids_.front());
    const Scattering scattering{device_ids_, dim_};
    if (!compat_.strict_compat) check_equal_pieces(all, scattering);
    std::vector<std::tuple<Inputs...>> pieces = scatter(all, scattering);
    // Without a batch there is nothing to hand out: one replica runs.
    if (sizeof...(Inputs) == 0) pieces.resize(1);
    if (device_ids_.size() == 1) return forward_on<Output>(callable_, pieces.front());
    const std::vector<torch::Device> devices(
        device_ids_.begin(), device_ids_.begin() + static_cast<std::ptrdiff_t>(pieces.size()));
    std::vector<torch::nn::AnyModule> replicas = replicate(callable_, devices, compat_);
    std::vector<std::optional<Output>> outputs(devices.size());
    run_on_devices(threads_, devices, [&](std::size_t i) {
      outputs[i].emplace(forward_on<Output>(replicas[i], pieces[i]));
    });
    std::vector<Output> values;
    for (std::optional<Output>& output : outputs) values.push_back(std::move(*output));
    return gather(values, Gathering{*output_device_, dim_});
  }

  // The wrapped module: for its own members, and to save keys without "module.".
  const std::shared_ptr<torch::nn::Module>& module() const { return module_; }

  const std::vector<torch::Device>& device_ids() const { return device_ids_; }
  std::optional<torch::Device> output_device() const { return output_device_; }
  std::int64_t dim() const { return dim_; }

 private:
  template <typename Output, typename... Inputs>
  static Output forward_on(torch::nn::AnyModule& module, const std::tuple<Inputs...>& inputs) {
    return std::apply(
        [&](const Inputs&... each) { return module.forward<Output>(Inputs(each)...); }, inputs);
  }

  std::shared_ptr<torch::nn::Module> module_;
  torch::nn::AnyModule callable_;
  std::vector<torch::Device> device_ids_;
  std::optional<torch::Device> output_device_;
  std::int64_t dim_;
  Compat compat_;
  ReplicaThreads threads_;
};

}  // namespace placecheck::parallel

#endif  // PLACECHECK_RUNTIME_TORCH_DATA_PARALLEL_H_
