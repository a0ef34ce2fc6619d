// Replicas run side by side, each on a thread of its own, with the caller's grad mode and streams
// and with its device current. All run to their end before an error of the first one that failed is
// raised, as the kind it was, with the replica's number and device.
#ifndef PLACECHECK_RUNTIME_PARALLEL_PARALLEL_APPLY_H_
#define PLACECHECK_RUNTIME_PARALLEL_PARALLEL_APPLY_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "runtime/comm/collectives.h"
#include "runtime/core/check.h"
#include "runtime/parallel/common/replica_threads.h"
#include "runtime/tensor/tensor.h"

namespace placecheck::runtime::nn {

using parallel::ReplicaThreads;

// call(i) with devices[i] current, in the grad mode and on the streams of the calling thread.
// Throws the error of the lowest i that failed, as rethrow_from() does (core/rethrow.h).
void run_on_devices(ReplicaThreads& threads, const comm::DeviceList& devices,
                    const std::function<void(std::size_t)>& call);

// The results of `call(0)` to `call(devices.size() - 1)`.
template <typename Call>
auto run_replicas(ReplicaThreads& threads, const comm::DeviceList& devices, const Call& call) {
  using Result = std::invoke_result_t<Call, std::size_t>;
  std::vector<std::optional<Result>> results(devices.size());
  run_on_devices(threads, devices, [&](std::size_t i) { results[i].emplace(call(i)); });
  std::vector<Result> values;
  values.reserve(results.size());
  for (auto& result : results) {
    if (result) values.push_back(std::move(*result));
  }
  return values;
}

namespace detail {

inline std::optional<DeviceIndex> device_of(const Tensor& tensor) {
  if (!tensor.defined() || tensor.is_cpu()) return std::nullopt;
  return tensor.device().index();
}
template <typename Value>
std::optional<DeviceIndex> device_of(const Value&) {
  return std::nullopt;
}

// Where the first tensor among a replica's inputs lies.
template <typename... Arguments>
DeviceIndex input_device(std::size_t replica, const std::tuple<Arguments...>& inputs) {
  std::optional<DeviceIndex> found;
  std::apply([&](const auto&... each) { ((found = found ? found : device_of(each)), ...); },
             inputs);
  check(found.has_value(), "in replica ", replica,
        ", no device was provided and no tensor input was found; device cannot be resolved");
  return *found;
}

}  // namespace detail

// modules[i]->forward(inputs[i]...), on devices[i], or where its inputs are.
template <typename Module, typename... Arguments>
auto parallel_apply(const std::vector<std::shared_ptr<Module>>& modules,
                    const std::vector<std::tuple<Arguments...>>& inputs,
                    const std::optional<comm::DeviceList>& devices = std::nullopt) {
  check(modules.size() == inputs.size(), "The number of modules ", modules.size(),
        " is not equal to the number of inputs ", inputs.size());
  check(!devices || devices->size() == modules.size(), "The number of modules ", modules.size(),
        " is not equal to the number of devices ", devices ? devices->size() : 0);
  comm::DeviceList places = devices.value_or(comm::DeviceList());
  for (std::size_t i = places.size(); i < inputs.size(); ++i) {
    places.push_back(detail::input_device(i, inputs[i]));
  }
  ReplicaThreads threads;
  return run_replicas(threads, places, [&](std::size_t i) {
    return std::apply([&](const auto&... each) { return modules[i]->forward(each...); }, inputs[i]);
  });
}

}  // namespace placecheck::runtime::nn

#endif  // PLACECHECK_RUNTIME_PARALLEL_PARALLEL_APPLY_H_
