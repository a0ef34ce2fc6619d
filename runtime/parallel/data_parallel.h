// DataParallel: one module on several devices, a slice of the batch on each, with the semantics of
// torch.nn.DataParallel.
//
//   nn::DataParallel net(model, {0, 1});
//   net->to(Device("cuda:0"));
//   Tensor output = net(batch);  // on cuda:0; `batch` may be anywhere
//
// Ownership: shares the wrapped module, which is its child "module", so that every key of its state
// begins with "module.". Threads: one forward at a time. Errors: RuleError
// (data-parallel-placement) where the module is not on device_ids[0] at forward; what a replica
// throws, with its number.
//
// Where PyTorch's behaviour is a known bug, this does what is meant: a parameter that no replica
// used has no gradient rather than a zero one, replicas list their parameters, arguments without
// tensors do not make idle replicas run, and inputs that cannot be scattered together are refused
// rather than cut. Compat has the switch for what a program could depend on.
#ifndef PLACECHECK_RUNTIME_PARALLEL_DATA_PARALLEL_H_
#define PLACECHECK_RUNTIME_PARALLEL_DATA_PARALLEL_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "runtime/autograd/grad_mode.h"
#include "runtime/backend/cuda_api.h"
#include "runtime/nn/module.h"
#include "runtime/parallel/balance.h"
#include "runtime/parallel/common/compat.h"
#include "runtime/parallel/device_ids.h"
#include "runtime/parallel/lost_state.h"
#include "runtime/parallel/parallel_apply.h"
#include "runtime/parallel/replicate.h"
#include "runtime/parallel/scatter_gather.h"

namespace placecheck::runtime::nn {

// Where outputs are gathered: a GPU, or with -1, which PyTorch deprecates, the CPU.
class OutputDevice {
 public:
  OutputDevice() = default;
  OutputDevice(int index) : id_(index) {}
  OutputDevice(const Device& device) : id_(device) {}
  OutputDevice(const char* name) : id_(name) {}

  Device or_else(DeviceIndex first) const;

 private:
  std::optional<DeviceId> id_;
};

// Throws RuleError unless all parameters and buffers are on cuda:`first`; parameters come first.
void check_placement(const Module& module, DeviceIndex first);

// What both forms share: scatter, replicate, run, gather, for a placed module. `inputs` is a tuple;
// state that is lost is warned of until `has_warned`.
template <typename Wrapped, typename... Arguments>
auto run_data_parallel(const std::shared_ptr<Wrapped>& module, const comm::DeviceList& devices,
                       const Gathering& gathering, const Compat& compat, ReplicaThreads& threads,
                       bool& has_warned, const std::tuple<Arguments...>& inputs) {
  using Output = std::decay_t<decltype(std::apply(
      [&](const auto&... each) { return module->forward(each...); }, inputs))>;
  auto call = [](Wrapped& replica, const std::tuple<Arguments...>& arguments) -> Output {
    return std::apply([&](const auto&... each) { return replica.forward(each...); }, arguments);
  };
  Scattering scattering{devices, gathering.dim};
  if (!compat.strict_compat) check_equal_pieces(inputs, scattering);
  std::vector<std::tuple<Arguments...>> parts = scatter(inputs, scattering);
  // Without a batch there is nothing to hand out: one replica runs.
  if (sizeof...(Arguments) == 0) parts.resize(1);
  if (devices.size() == 1) return call(*module, parts[0]);
  comm::DeviceList used(devices.begin(),
                        devices.begin() + static_cast<std::ptrdiff_t>(parts.size()));
  auto replicas = replicate(module, used, /*detach=*/!GradMode::is_enabled(), compat);
  const LostStateCheck state(*replicas[0]);
  std::vector<Output> outputs =
      run_replicas(threads, used, [&](std::size_t i) { return call(*replicas[i], parts[i]); });
  if (!has_warned) has_warned = state.warn_of_lost_state();
  return gather(outputs, gathering);
}

template <typename Wrapped>
class DataParallelImpl : public Module {
 public:
  // `output_device` is device_ids[0] where none is given; `dim` is the batch dimension. A single
  // device is one the module is moved to now; with several, moving it to the first is the caller's
  // part, before or after wrapping. Without a GPU forward passes through, and checks nothing.
  explicit DataParallelImpl(std::shared_ptr<Wrapped> wrapped, const DeviceIds& ids = {},
                            const OutputDevice& output_device = {}, std::int64_t dim = 0,
                            const Compat& compat = {})
      : Module("DataParallel"),
        module(register_module("module", std::move(wrapped))),
        dim(dim),
        compat(compat) {
    if (!cuda::is_available()) return;
    device_ids = ids.resolved();
    this->output_device = output_device.or_else(device_ids[0]);
    check_balance(device_ids);
    if (device_ids.size() == 1) module->to(Device(kCUDA, device_ids[0]));
  }

  template <typename... Arguments>
  auto forward(const Arguments&... inputs) {
    using Output = std::decay_t<decltype(module->forward(inputs...))>;
    if (device_ids.empty()) return Output(module->forward(inputs...));
    check_placement(*module, device_ids[0]);
    Device first(kCUDA, device_ids[0]);
    return Output(run_data_parallel(module.ptr(), device_ids, {output_device.value_or(first), dim},
                                    compat, threads_, has_warned_,
                                    std::tuple<Arguments...>(inputs...)));
  }

  // The wrapped module: for its own members, and to save keys without "module.". A replica of a
  // wrapper, which is a part of a module that is wrapped itself, holds the replica's.
  ModuleHolder<Wrapped> module;
  std::vector<DeviceIndex> device_ids;
  std::optional<Device> output_device;
  std::int64_t dim;
  Compat compat;

 private:
  ReplicaThreads threads_;
  bool has_warned_ = false;  // of lost state
};

template <typename Wrapped>
class DataParallel : public ModuleHolder<DataParallelImpl<Wrapped>> {
 public:
  DataParallel(std::shared_ptr<Wrapped> module, const DeviceIds& device_ids = {},
               const OutputDevice& output_device = {}, std::int64_t dim = 0,
               const Compat& compat = {})
      : ModuleHolder<DataParallelImpl<Wrapped>>(std::make_shared<DataParallelImpl<Wrapped>>(
            std::move(module), device_ids, output_device, dim, compat)) {}
  DataParallel(const ModuleHolder<Wrapped>& module, const DeviceIds& device_ids = {},
               const OutputDevice& output_device = {}, std::int64_t dim = 0,
               const Compat& compat = {})
      : DataParallel(module.ptr(), device_ids, output_device, dim, compat) {}
};

template <typename Wrapped, typename... Rest>
DataParallel(std::shared_ptr<Wrapped>, Rest...) -> DataParallel<Wrapped>;
template <typename Holder>
  requires IsHolder<Holder>
DataParallel(Holder, DeviceIds = {}, OutputDevice = {}, std::int64_t = 0, Compat = {})
    -> DataParallel<ContainedType<Holder>>;

// The function: nothing is moved, whatever the number of devices. `inputs` is a tuple, or one
// value.
template <typename Wrapped, typename... Arguments>
auto data_parallel(const std::shared_ptr<Wrapped>& module, const std::tuple<Arguments...>& inputs,
                   const DeviceIds& device_ids = {}, const OutputDevice& output_device = {},
                   std::int64_t dim = 0, const Compat& compat = {}) {
  check(cuda::is_available(), "device type could not be determined");
  comm::DeviceList devices = device_ids.resolved();
  check_placement(*module, devices[0]);
  ReplicaThreads threads;
  bool has_warned = false;
  return run_data_parallel(module, devices, {output_device.or_else(devices[0]), dim}, compat,
                           threads, has_warned, inputs);
}

template <typename Holder, typename... Arguments>
  requires IsHolder<Holder>
auto data_parallel(const Holder& module, const std::tuple<Arguments...>& inputs,
                   const DeviceIds& device_ids = {}, const OutputDevice& output_device = {},
                   std::int64_t dim = 0, const Compat& compat = {}) {
  return data_parallel(module.ptr(), inputs, device_ids, output_device, dim, compat);
}

template <typename Holder>
auto data_parallel(const Holder& module, const Tensor& input, const DeviceIds& device_ids = {},
                   const OutputDevice& output_device = {}, std::int64_t dim = 0,
                   const Compat& compat = {}) {
  return data_parallel(module, std::make_tuple(input), device_ids, output_device, dim, compat);
}

}  // namespace placecheck::runtime::nn

#endif  // PLACECHECK_RUNTIME_PARALLEL_DATA_PARALLEL_H_
