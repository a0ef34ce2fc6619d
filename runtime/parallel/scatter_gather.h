// Inputs taken apart and outputs put together, whatever they are made of: tensors are split and
// joined, containers are rebuilt around their parts, and anything else is the same for every
// device.
//
// scatter() gives one value a device, but fewer where a batch has fewer pieces; a container has as
// many as its shortest part. gather() goes by the first output. Errors: as Python's.
#ifndef PLACECHECK_RUNTIME_PARALLEL_SCATTER_GATHER_H_
#define PLACECHECK_RUNTIME_PARALLEL_SCATTER_GATHER_H_

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "runtime/core/check.h"
#include "runtime/core/ordered_dict.h"
#include "runtime/parallel/functions.h"
#include "runtime/tensor/tensor.h"

namespace placecheck::runtime::nn {

struct Scattering {
  comm::DeviceList devices;
  std::int64_t dim = 0;
};

struct Gathering {
  Device destination = kCPU;
  std::int64_t dim = 0;
};

// How values of a type are taken apart and put together; the general case is one without tensors.
template <typename Value>
struct Parts {
  static constexpr bool kHasTensors = false;

  static std::vector<Value> scatter(const Value& value, const Scattering& to) {
    return std::vector<Value>(to.devices.size(), value);
  }
  // Python asks such an output to be iterable.
  static Value gather(const std::vector<Value>&, const Gathering&) {
    throw TypeError(std::string("'") + python_name() + "' object is not iterable");
  }
  static const char* python_name() {
    if (std::is_same_v<Value, bool>) return "bool";
    if (std::is_integral_v<Value>) return "int";
    if (std::is_floating_point_v<Value>) return "float";
    return "object";
  }
};

template <>
struct Parts<Tensor> {
  static constexpr bool kHasTensors = true;
  // An undefined tensor is Python's None: the same for all, and None again.
  static TensorList scatter(const Tensor& tensor, const Scattering& to) {
    if (!tensor.defined()) return TensorList(to.devices.size());
    return scatter_tensor(tensor, to.devices, to.dim);
  }
  static Tensor gather(const TensorList& outputs, const Gathering& to) {
    if (!outputs[0].defined()) return {};
    return gather_tensors(outputs, to.destination, to.dim);
  }
};

template <typename Value>
std::vector<Value> scatter(const Value& value, const Scattering& to) {
  return Parts<Value>::scatter(value, to);
}

template <typename Value>
Value gather(const std::vector<Value>& outputs, const Gathering& to) {
  return Parts<Value>::gather(outputs, to);
}

template <typename Value>
struct Parts<std::vector<Value>> {
  static constexpr bool kHasTensors = Parts<Value>::kHasTensors;
  using List = std::vector<Value>;

  static std::vector<List> scatter(const List& list, const Scattering& to) {
    if (list.empty()) return std::vector<List>(to.devices.size());
    std::vector<List> result(to.devices.size());
    for (const Value& value : list) {
      std::vector<Value> parts = Parts<Value>::scatter(value, to);
      result.resize(std::min(result.size(), parts.size()));
      for (std::size_t d = 0; d < result.size(); ++d) result[d].push_back(std::move(parts[d]));
    }
    return result;
  }

  static List gather(const std::vector<List>& outputs, const Gathering& to) {
    List result;
    for (std::size_t d = 1; d < outputs.size(); ++d) {
      const char* relation = outputs[d].size() > outputs[0].size() ? "longer" : "shorter";
      check<ValueError>(outputs[d].size() == outputs[0].size(), "zip() argument ", d + 1, " is ",
                        relation, " than argument 1");
    }
    for (std::size_t i = 0; i < outputs[0].size(); ++i) {
      std::vector<Value> column;
      for (const List& output : outputs) column.push_back(output[i]);
      result.push_back(Parts<Value>::gather(column, to));
    }
    return result;
  }
};

template <typename... Values>
struct Parts<std::tuple<Values...>> {
  static constexpr bool kHasTensors = (Parts<Values>::kHasTensors || ...);
  using Tuple = std::tuple<Values...>;

  static std::vector<Tuple> scatter(const Tuple& tuple, const Scattering& to) {
    if constexpr (sizeof...(Values) == 0) {
      return std::vector<Tuple>(to.devices.size());
    } else {
      return std::apply(
          [&](const Values&... values) { return joined(Parts<Values>::scatter(values, to)...); },
          tuple);
    }
  }

  static Tuple gather(const std::vector<Tuple>& outputs, const Gathering& to) {
    return gather_at(outputs, to, std::index_sequence_for<Values...>());
  }

 private:
  static std::vector<Tuple> joined(std::vector<Values>... columns) {
    std::vector<Tuple> rows;
    std::size_t count = std::min({columns.size()...});
    rows.reserve(count);
    for (std::size_t d = 0; d < count; ++d) rows.emplace_back(std::move(columns[d])...);
    return rows;
  }

  template <std::size_t... kIndices>
  static Tuple gather_at(const std::vector<Tuple>& outputs, const Gathering& to,
                         std::index_sequence<kIndices...>) {
    return Tuple{Parts<Values>::gather(column<kIndices, Values>(outputs), to)...};
  }
  template <std::size_t kIndex, typename Value>
  static std::vector<Value> column(const std::vector<Tuple>& outputs) {
    std::vector<Value> values;
    for (const Tuple& output : outputs) values.push_back(std::get<kIndex>(output));
    return values;
  }
};

template <typename First, typename Second>
struct Parts<std::pair<First, Second>> {
  static constexpr bool kHasTensors = Parts<First>::kHasTensors || Parts<Second>::kHasTensors;
  using Pair = std::pair<First, Second>;
  using Tuple = std::tuple<First, Second>;

  static std::vector<Pair> scatter(const Pair& pair, const Scattering& to) {
    std::vector<Pair> result;
    for (Tuple& each : Parts<Tuple>::scatter(Tuple(pair), to)) {
      result.emplace_back(std::move(std::get<0>(each)), std::move(std::get<1>(each)));
    }
    return result;
  }
  static Pair gather(const std::vector<Pair>& outputs, const Gathering& to) {
    auto [first, second] = Parts<Tuple>::gather({outputs.begin(), outputs.end()}, to);
    return {std::move(first), std::move(second)};
  }
};

template <typename Value>
struct Parts<std::optional<Value>> {
  static constexpr bool kHasTensors = Parts<Value>::kHasTensors;
  using Optional = std::optional<Value>;

  static std::vector<Optional> scatter(const Optional& value, const Scattering& to) {
    if (!value) return std::vector<Optional>(to.devices.size());
    std::vector<Value> parts = Parts<Value>::scatter(*value, to);
    return {parts.begin(), parts.end()};
  }
  static Optional gather(const std::vector<Optional>& outputs, const Gathering& to) {
    if (!outputs[0]) return std::nullopt;
    std::vector<Value> values;
    for (const Optional& output : outputs) values.push_back(output.value());
    return Parts<Value>::gather(values, to);
  }
};

namespace detail {

template <typename Value>
const Value* find_in(const std::map<std::string, Value>& dict, const std::string& key) {
  auto found = dict.find(key);
  return found == dict.end() ? nullptr : &found->second;
}
template <typename Value>
const Value* find_in(const OrderedDict<Value>& dict, const std::string& key) {
  return dict.find(key);
}
template <typename Value>
void put_in(std::map<std::string, Value>& dict, const std::string& key, Value value) {
  dict.emplace(key, std::move(value));
}
template <typename Value>
void put_in(OrderedDict<Value>& dict, const std::string& key, Value value) {
  dict.insert(key, std::move(value));
}
template <typename Value>
std::vector<std::pair<std::string, Value>> items_of(const std::map<std::string, Value>& dict) {
  return {dict.begin(), dict.end()};
}
template <typename Value>
std::vector<std::pair<std::string, Value>> items_of(const OrderedDict<Value>& dict) {
  std::vector<std::pair<std::string, Value>> items;
  for (const auto& item : dict) items.emplace_back(item.key(), item.value());
  return items;
}

// Dictionaries with string keys.
template <typename Dict, typename Value>
struct DictParts {
  static constexpr bool kHasTensors = Parts<Value>::kHasTensors;

  static std::vector<Dict> scatter(const Dict& dict, const Scattering& to) {
    std::vector<Dict> result(to.devices.size());
    for (const auto& [key, value] : items_of(dict)) {
      std::vector<Value> parts = Parts<Value>::scatter(value, to);
      result.resize(std::min(result.size(), parts.size()));
      for (std::size_t d = 0; d < result.size(); ++d) put_in(result[d], key, std::move(parts[d]));
    }
    return result;
  }

  static Dict gather(const std::vector<Dict>& outputs, const Gathering& to) {
    for (const Dict& output : outputs) {
      check<ValueError>(output.size() == outputs[0].size(),
                        "All dicts must have the same number of keys");
    }
    Dict result;
    for (const auto& [key, first] : items_of(outputs[0])) {
      std::vector<Value> column;
      for (const Dict& output : outputs) {
        const Value* value = find_in(output, key);
        check<KeyError>(value != nullptr, key);
        column.push_back(*value);
      }
      put_in(result, key, Parts<Value>::gather(column, to));
    }
    return result;
  }
};

}  // namespace detail

template <typename Value>
struct Parts<std::map<std::string, Value>>
    : detail::DictParts<std::map<std::string, Value>, Value> {};
template <typename Value>
struct Parts<OrderedDict<Value>> : detail::DictParts<OrderedDict<Value>, Value> {};

}  // namespace placecheck::runtime::nn

#endif  // PLACECHECK_RUNTIME_PARALLEL_SCATTER_GATHER_H_
