// Scatter and gather of parts.h for the engine's own tensors.
#ifndef PLACECHECK_RUNTIME_PARALLEL_SCATTER_GATHER_H_
#define PLACECHECK_RUNTIME_PARALLEL_SCATTER_GATHER_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "runtime/core/check.h"
#include "runtime/core/ordered_dict.h"
#include "runtime/parallel/common/parts.h"
#include "runtime/parallel/functions.h"
#include "runtime/tensor/tensor.h"

namespace placecheck::runtime::nn {

[[noreturn]] void refuse(parallel::PythonError kind, const std::string& text);

struct Scattering {
  comm::DeviceList devices;
  std::int64_t dim = 0;

  TensorList scatter(const Tensor& tensor) const { return scatter_tensor(tensor, devices, dim); }
  [[noreturn]] static void refuse(parallel::PythonError kind, const std::string& text) {
    nn::refuse(kind, text);
  }
};

struct Gathering {
  Device destination = kCPU;
  std::int64_t dim = 0;

  Tensor gather(const TensorList& outputs) const {
    return gather_tensors(outputs, destination, dim);
  }
  [[noreturn]] static void refuse(parallel::PythonError kind, const std::string& text) {
    nn::refuse(kind, text);
  }
};

using parallel::check_equal_pieces;
using parallel::gather;
using parallel::scatter;

}  // namespace placecheck::runtime::nn

namespace placecheck::parallel {

template <typename Item>
struct MapAccess<runtime::OrderedDict<Item>> {
  using Key = std::string;
  using Value = Item;
  using Map = runtime::OrderedDict<Item>;

  static const Value* find(const Map& dict, const Key& key) { return dict.find(key); }
  static void put(Map& dict, const Key& key, Value value) { dict.insert(key, std::move(value)); }
  template <typename Visit>
  static void for_each(const Map& dict, const Visit& visit) {
    for (const auto& item : dict) visit(item.key(), item.value());
  }
};
template <typename Value>
struct Parts<runtime::OrderedDict<Value>> : detail::DictParts<runtime::OrderedDict<Value>> {};

}  // namespace placecheck::parallel

#endif  // PLACECHECK_RUNTIME_PARALLEL_SCATTER_GATHER_H_
