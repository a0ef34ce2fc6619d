// What data parallelism does with libtorch's tensors and modules: scatter, gather, replicate, and
// run the replicas. Ownership: results own what they hold. Threads: each call is the caller's
// alone. Errors: c10::Error and its kinds, with PyTorch's texts.
#ifndef PLACECHECK_RUNTIME_TORCH_REPLICAS_H_
#define PLACECHECK_RUNTIME_TORCH_REPLICAS_H_

#include <c10/core/Device.h>
#include <torch/nn/modules/container/any.h>
#include <torch/ordered_dict.h>
#include <torch/types.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/parallel/common/compat.h"
#include "runtime/parallel/common/parts.h"
#include "runtime/parallel/common/replica_threads.h"

namespace placecheck::parallel {

[[noreturn]] void refuse(PythonError kind, const std::string& text);

struct Scattering {
  std::vector<torch::Device> devices;
  std::int64_t dim = 0;

  // The chunks of a tensor, one a device; as many as there are.
  std::vector<torch::Tensor> scatter(const torch::Tensor& tensor) const;
  [[noreturn]] static void refuse(PythonError kind, const std::string& text) {
    parallel::refuse(kind, text);
  }
};

struct Gathering {
  torch::Device destination;
  std::int64_t dim = 0;

  // Outputs side by side, in the type of the first. Throws for outputs on the CPU.
  torch::Tensor gather(const std::vector<torch::Tensor>& outputs) const;
  [[noreturn]] static void refuse(PythonError kind, const std::string& text) {
    parallel::refuse(kind, text);
  }
};

template <typename Item>
struct MapAccess<torch::OrderedDict<std::string, Item>> {
  using Key = std::string;
  using Value = Item;
  using Map = torch::OrderedDict<std::string, Item>;

  static const Value* find(const Map& dict, const Key& key) { return dict.find(key); }
  static void put(Map& dict, const Key& key, Value value) { dict.insert(key, std::move(value)); }
  template <typename Visit>
  static void for_each(const Map& dict, const Visit& visit) {
    for (const auto& item : dict) visit(item.key(), item.value());
  }
};
template <typename Value>
struct Parts<torch::OrderedDict<std::string, Value>>
    : detail::DictParts<torch::OrderedDict<std::string, Value>> {};

// A clone on each device. Gradients of their parameters are summed, in the order of the devices, on
// the module's; a parameter that no replica used has none, or zeros if `compat` asks for them. The
// module is on devices[0], whose replica shares its memory.
std::vector<torch::nn::AnyModule> replicate(const torch::nn::AnyModule& module,
                                            const std::vector<torch::Device>& devices,
                                            const Compat& compat);

// call(i) with devices[i] current, in the modes (gradients, autocast) and on the streams of the
// calling thread. Throws the error of the lowest i that failed, as the kind it was, in the words of
// Python's ExceptionWrapper: "Caught RuntimeError in replica 0 on device 0. ...".
void run_on_devices(ReplicaThreads& threads, const std::vector<torch::Device>& devices,
                    const std::function<void(std::size_t)>& call);

}  // namespace placecheck::parallel

#endif  // PLACECHECK_RUNTIME_TORCH_REPLICAS_H_
