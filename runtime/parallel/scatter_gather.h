// Inputs taken apart and outputs put together, whatever they are made of: tensors are split and
// joined, containers are rebuilt around their parts, and anything else is the same for every
// device.
//
// scatter() gives one value a device, but fewer where a batch has fewer pieces; a container has as
// many as its shortest part. gather() goes by the first output. Errors: as Python's.
//
// Containers are the standard sequences, arrays, maps with keys of any type, tuples, optionals and
// variants, and OrderedDict. A specialization of Parts adds another.
#ifndef PLACECHECK_RUNTIME_PARALLEL_SCATTER_GATHER_H_
#define PLACECHECK_RUNTIME_PARALLEL_SCATTER_GATHER_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <optional>
#include <ostream>
#include <string>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <variant>
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

using TensorVisitor = std::function<void(const Tensor&)>;

// How values of a type are taken apart and put together; the general case is one without tensors.
template <typename Value>
struct Parts {
  // Calls `visit` with each defined tensor in `value`.
  static void visit(const Value& /*value*/, const TensorVisitor& /*visit*/) {}

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
  static void visit(const Tensor& tensor, const TensorVisitor& visit) {
    if (tensor.defined()) visit(tensor);
  }

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

namespace detail {

// Sequences that grow at their end.
template <typename List>
struct SequenceParts {
  using Value = typename List::value_type;

  static void visit(const List& list, const TensorVisitor& visit) {
    for (const Value& value : list) Parts<Value>::visit(value, visit);
  }

  static std::vector<List> scatter(const List& list, const Scattering& to) {
    std::vector<List> result(to.devices.size());
    for (const Value& value : list) {
      std::vector<Value> parts = Parts<Value>::scatter(value, to);
      result.resize(std::min(result.size(), parts.size()));
      for (std::size_t d = 0; d < result.size(); ++d) result[d].push_back(std::move(parts[d]));
    }
    return result;
  }

  static List gather(const std::vector<List>& outputs, const Gathering& to) {
    for (std::size_t d = 1; d < outputs.size(); ++d) {
      const char* relation = outputs[d].size() > outputs[0].size() ? "longer" : "shorter";
      check<ValueError>(outputs[d].size() == outputs[0].size(), "zip() argument ", d + 1, " is ",
                        relation, " than argument 1");
    }
    std::vector<std::vector<Value>> columns(outputs[0].size());
    for (const List& output : outputs) {
      auto column = columns.begin();
      for (const Value& value : output) (column++)->push_back(value);
    }
    List result;
    for (const auto& column : columns) result.push_back(Parts<Value>::gather(column, to));
    return result;
  }
};

}  // namespace detail

template <typename Value>
struct Parts<std::vector<Value>> : detail::SequenceParts<std::vector<Value>> {};
template <typename Value>
struct Parts<std::deque<Value>> : detail::SequenceParts<std::deque<Value>> {};
template <typename Value>
struct Parts<std::list<Value>> : detail::SequenceParts<std::list<Value>> {};

template <typename... Values>
struct Parts<std::tuple<Values...>> {
  using Tuple = std::tuple<Values...>;

  static void visit(const Tuple& tuple, const TensorVisitor& visit) {
    std::apply([&](const Values&... values) { (Parts<Values>::visit(values, visit), ...); }, tuple);
  }

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
  using Pair = std::pair<First, Second>;
  using Tuple = std::tuple<First, Second>;

  static void visit(const Pair& pair, const TensorVisitor& visit) {
    Parts<First>::visit(pair.first, visit);
    Parts<Second>::visit(pair.second, visit);
  }

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
  using Optional = std::optional<Value>;

  static void visit(const Optional& value, const TensorVisitor& visit) {
    if (value) Parts<Value>::visit(*value, visit);
  }

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

template <typename Value, std::size_t kSize>
struct Parts<std::array<Value, kSize>> {
  using Array = std::array<Value, kSize>;
  using List = std::vector<Value>;

  static void visit(const Array& array, const TensorVisitor& visit) {
    for (const Value& value : array) Parts<Value>::visit(value, visit);
  }
  static std::vector<Array> scatter(const Array& array, const Scattering& to) {
    std::vector<Array> result;
    for (List& each : Parts<List>::scatter({array.begin(), array.end()}, to)) {
      result.push_back(from(std::move(each)));
    }
    return result;
  }
  static Array gather(const std::vector<Array>& outputs, const Gathering& to) {
    std::vector<List> lists;
    for (const Array& output : outputs) lists.emplace_back(output.begin(), output.end());
    return from(Parts<List>::gather(lists, to));
  }

 private:
  static Array from(List list) {
    return [&]<std::size_t... kIndices>(std::index_sequence<kIndices...>) {
      return Array{std::move(list[kIndices])...};
    }(std::make_index_sequence<kSize>());
  }
};

template <typename... Values>
struct Parts<std::variant<Values...>> {
  using Variant = std::variant<Values...>;

  static void visit(const Variant& variant, const TensorVisitor& visit) {
    std::visit([&]<typename Value>(const Value& value) { Parts<Value>::visit(value, visit); },
               variant);
  }
  static std::vector<Variant> scatter(const Variant& variant, const Scattering& to) {
    return std::visit(
        [&]<typename Value>(const Value& value) {
          std::vector<Value> parts = Parts<Value>::scatter(value, to);
          return std::vector<Variant>(std::make_move_iterator(parts.begin()),
                                      std::make_move_iterator(parts.end()));
        },
        variant);
  }
  static Variant gather(const std::vector<Variant>& outputs, const Gathering& to) {
    return std::visit(
        [&]<typename Value>(const Value&) -> Variant {
          std::vector<Value> values;
          for (const Variant& output : outputs) {
            const Value* value = std::get_if<Value>(&output);
            check<TypeError>(value != nullptr, "the replicas' outputs have different types");
            values.push_back(*value);
          }
          return Parts<Value>::gather(values, to);
        },
        outputs[0]);
  }
};

namespace detail {

// What a dictionary's class is asked for, in the order of its items.
template <typename Map>
struct MapAccess {
  using Key = typename Map::key_type;
  using Value = typename Map::mapped_type;

  static const Value* find(const Map& map, const Key& key) {
    auto found = map.find(key);
    return found == map.end() ? nullptr : &found->second;
  }
  static void put(Map& map, const Key& key, Value value) { map.emplace(key, std::move(value)); }
  template <typename Visit>
  static void for_each(const Map& map, const Visit& visit) {
    for (const auto& [key, value] : map) visit(key, value);
  }
};

template <typename Item>
struct MapAccess<OrderedDict<Item>> {
  using Key = std::string;
  using Value = Item;

  static const Value* find(const OrderedDict<Value>& dict, const Key& key) {
    return dict.find(key);
  }
  static void put(OrderedDict<Value>& dict, const Key& key, Value value) {
    dict.insert(key, std::move(value));
  }
  template <typename Visit>
  static void for_each(const OrderedDict<Value>& dict, const Visit& visit) {
    for (const auto& item : dict) visit(item.key(), item.value());
  }
};

template <typename Key>
std::string key_text(const Key& key) {
  if constexpr (requires(std::ostream& out) { out << key; }) {
    return text_of(key);
  } else {
    return "a key of the first output";
  }
}

template <typename Dict>
struct DictParts {
  using Access = MapAccess<Dict>;
  using Key = typename Access::Key;
  using Value = typename Access::Value;

  static void visit(const Dict& dict, const TensorVisitor& visit) {
    Access::for_each(dict,
                     [&](const Key&, const Value& value) { Parts<Value>::visit(value, visit); });
  }

  static std::vector<Dict> scatter(const Dict& dict, const Scattering& to) {
    std::vector<Dict> result(to.devices.size());
    Access::for_each(dict, [&](const Key& key, const Value& value) {
      std::vector<Value> parts = Parts<Value>::scatter(value, to);
      result.resize(std::min(result.size(), parts.size()));
      for (std::size_t d = 0; d < result.size(); ++d) {
        Access::put(result[d], key, std::move(parts[d]));
      }
    });
    return result;
  }

  static Dict gather(const std::vector<Dict>& outputs, const Gathering& to) {
    for (const Dict& output : outputs) {
      check<ValueError>(output.size() == outputs[0].size(),
                        "All dicts must have the same number of keys");
    }
    Dict result;
    Access::for_each(outputs[0], [&](const Key& key, const Value&) {
      std::vector<Value> column;
      for (const Dict& output : outputs) {
        const Value* value = Access::find(output, key);
        check<KeyError>(value != nullptr, key_text(key));
        column.push_back(*value);
      }
      Access::put(result, key, Parts<Value>::gather(column, to));
    });
    return result;
  }
};

}  // namespace detail

template <typename Key, typename Value>
struct Parts<std::map<Key, Value>> : detail::DictParts<std::map<Key, Value>> {};
template <typename Key, typename Value>
struct Parts<std::unordered_map<Key, Value>> : detail::DictParts<std::unordered_map<Key, Value>> {};
template <typename Value>
struct Parts<OrderedDict<Value>> : detail::DictParts<OrderedDict<Value>> {};

// Throws ValueError if the tensors in `value` make different numbers of pieces: the rows of the
// longer ones would be dropped, as PyTorch drops them.
template <typename Value>
void check_equal_pieces(const Value& value, const Scattering& to) {
  Tensor first;
  Parts<Value>::visit(value, [&](const Tensor& tensor) {
    if (tensor.dim() == 0) return;
    if (!first.defined()) first = tensor;
    std::size_t expected = count_pieces(first, to.devices.size(), to.dim);
    std::size_t pieces = count_pieces(tensor, to.devices.size(), to.dim);
    check<ValueError>(pieces == expected, "the inputs cannot be scattered together to ",
                      to.devices.size(), " devices: one of size ", first.size(to.dim),
                      " in dimension ", to.dim, " makes ", expected, " pieces, one of size ",
                      tensor.size(to.dim), " makes ", pieces,
                      ", so that rows of the batch would be dropped");
  });
}

}  // namespace placecheck::runtime::nn

#endif  // PLACECHECK_RUNTIME_PARALLEL_SCATTER_GATHER_H_
