// Inputs taken apart and outputs put together, whatever they are made of and whose tensors they
// are: tensors are split and joined, containers are rebuilt around their parts, and anything else
// is the same for every device.
//
// A tensor is what has defined() and device(). What is done with one, `to` knows:
//   scattering.devices.size(), .scatter(tensor) -> a vector of tensors, one a device or fewer
//   gathering.gather(tensors) -> a tensor
//   both: .refuse(kind, text), which throws the library's own error
// scatter() gives one value a device, but fewer where a batch has fewer pieces; a container has as
// many as its shortest part. gather() goes by the first output. Errors: as Python's.
//
// C++17, as programs on libtorch are. Containers are the standard sequences, arrays, maps with keys
// of any type, tuples, optionals and variants. A specialization of Parts adds another; one of
// MapAccess, another map.
#ifndef PLACECHECK_RUNTIME_PARALLEL_COMMON_PARTS_H_
#define PLACECHECK_RUNTIME_PARALLEL_COMMON_PARTS_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <iterator>
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
#include "runtime/core/shape.h"

namespace placecheck::parallel {

// The kinds of error that Python's scatter and gather raise.
enum class PythonError { kKey, kType, kValue };

template <typename Value, typename = void>
struct IsTensor : std::false_type {};
template <typename Value>
struct IsTensor<Value, std::void_t<decltype(std::declval<const Value&>().defined()),
                                   decltype(std::declval<const Value&>().device())>>
    : std::true_type {};

// How values of a type are taken apart and put together; the general case is one without tensors.
template <typename Value, typename = void>
struct Parts {
  // Calls `visit` with each defined tensor in `value`.
  template <typename Visit>
  static void visit(const Value& /*value*/, const Visit& /*visit*/) {}

  template <typename To>
  static std::vector<Value> scatter(const Value& value, const To& to) {
    return std::vector<Value>(to.devices.size(), value);
  }
  // Python asks such an output to be iterable.
  template <typename To>
  static Value gather(const std::vector<Value>& /*outputs*/, const To& to) {
    to.refuse(PythonError::kType, std::string("'") + python_name() + "' object is not iterable");
  }
  static const char* python_name() {
    if (std::is_same_v<Value, bool>) return "bool";
    if (std::is_integral_v<Value>) return "int";
    if (std::is_floating_point_v<Value>) return "float";
    return "object";
  }
};

template <typename Tensor>
struct Parts<Tensor, std::enable_if_t<IsTensor<Tensor>::value>> {
  template <typename Visit>
  static void visit(const Tensor& tensor, const Visit& visit) {
    if (tensor.defined()) visit(tensor);
  }
  // An undefined tensor is Python's None: the same for all, and None again.
  template <typename To>
  static std::vector<Tensor> scatter(const Tensor& tensor, const To& to) {
    if (!tensor.defined()) return std::vector<Tensor>(to.devices.size());
    return to.scatter(tensor);
  }
  template <typename To>
  static Tensor gather(const std::vector<Tensor>& outputs, const To& to) {
    if (!outputs[0].defined()) return {};
    return to.gather(outputs);
  }
};

template <typename Value, typename To>
std::vector<Value> scatter(const Value& value, const To& to) {
  return Parts<Value>::scatter(value, to);
}

template <typename Value, typename To>
Value gather(const std::vector<Value>& outputs, const To& to) {
  return Parts<Value>::gather(outputs, to);
}

namespace detail {

// Sequences that grow at their end.
template <typename List>
struct SequenceParts {
  using Value = typename List::value_type;

  template <typename Visit>
  static void visit(const List& list, const Visit& visit) {
    for (const Value& value : list) Parts<Value>::visit(value, visit);
  }

  template <typename To>
  static std::vector<List> scatter(const List& list, const To& to) {
    std::vector<List> result(to.devices.size());
    for (const Value& value : list) {
      std::vector<Value> parts = Parts<Value>::scatter(value, to);
      result.resize(std::min(result.size(), parts.size()));
      for (std::size_t d = 0; d < result.size(); ++d) result[d].push_back(std::move(parts[d]));
    }
    return result;
  }

  template <typename To>
  static List gather(const std::vector<List>& outputs, const To& to) {
    for (std::size_t d = 1; d < outputs.size(); ++d) {
      const char* relation = outputs[d].size() > outputs[0].size() ? "longer" : "shorter";
      if (outputs[d].size() == outputs[0].size()) continue;
      to.refuse(PythonError::kValue,
                runtime::text_of("zip() argument ", d + 1, " is ", relation, " than argument 1"));
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

  template <typename Visit>
  static void visit(const Tuple& tuple, const Visit& visit) {
    std::apply([&](const Values&... values) { (Parts<Values>::visit(values, visit), ...); }, tuple);
  }

  template <typename To>
  static std::vector<Tuple> scatter(const Tuple& tuple, const To& to) {
    if constexpr (sizeof...(Values) == 0) {
      return std::vector<Tuple>(to.devices.size());
    } else {
      return std::apply(
          [&](const Values&... values) { return joined(Parts<Values>::scatter(values, to)...); },
          tuple);
    }
  }

  template <typename To>
  static Tuple gather(const std::vector<Tuple>& outputs, const To& to) {
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

  template <typename To, std::size_t... kIndices>
  static Tuple gather_at(const std::vector<Tuple>& outputs, const To& to,
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

  template <typename Visit>
  static void visit(const Pair& pair, const Visit& visit) {
    Parts<First>::visit(pair.first, visit);
    Parts<Second>::visit(pair.second, visit);
  }

  template <typename To>
  static std::vector<Pair> scatter(const Pair& pair, const To& to) {
    std::vector<Pair> result;
    for (Tuple& each : Parts<Tuple>::scatter(Tuple(pair), to)) {
      result.emplace_back(std::move(std::get<0>(each)), std::move(std::get<1>(each)));
    }
    return result;
  }
  template <typename To>
  static Pair gather(const std::vector<Pair>& outputs, const To& to) {
    auto [first, second] = Parts<Tuple>::gather({outputs.begin(), outputs.end()}, to);
    return {std::move(first), std::move(second)};
  }
};

template <typename Value>
struct Parts<std::optional<Value>> {
  using Optional = std::optional<Value>;

  template <typename Visit>
  static void visit(const Optional& value, const Visit& visit) {
    if (value) Parts<Value>::visit(*value, visit);
  }

  template <typename To>
  static std::vector<Optional> scatter(const Optional& value, const To& to) {
    if (!value) return std::vector<Optional>(to.devices.size());
    std::vector<Value> parts = Parts<Value>::scatter(*value, to);
    return {parts.begin(), parts.end()};
  }
  template <typename To>
  static Optional gather(const std::vector<Optional>& outputs, const To& to) {
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

  template <typename Visit>
  static void visit(const Array& array, const Visit& visit) {
    for (const Value& value : array) Parts<Value>::visit(value, visit);
  }
  template <typename To>
  static std::vector<Array> scatter(const Array& array, const To& to) {
    std::vector<Array> result;
    for (List& each : Parts<List>::scatter({array.begin(), array.end()}, to)) {
      result.push_back(from(std::move(each)));
    }
    return result;
  }
  template <typename To>
  static Array gather(const std::vector<Array>& outputs, const To& to) {
    std::vector<List> lists;
    for (const Array& output : outputs) lists.emplace_back(output.begin(), output.end());
    return from(Parts<List>::gather(lists, to));
  }

 private:
  static Array from(List list) { return from(list, std::make_index_sequence<kSize>()); }
  template <std::size_t... kIndices>
  static Array from(List& list, std::index_sequence<kIndices...>) {
    return {std::move(list[kIndices])...};
  }
};

template <typename... Values>
struct Parts<std::variant<Values...>> {
  using Variant = std::variant<Values...>;

  template <typename Visit>
  static void visit(const Variant& variant, const Visit& visit) {
    std::visit(
        [&](const auto& value) { Parts<std::decay_t<decltype(value)>>::visit(value, visit); },
        variant);
  }
  template <typename To>
  static std::vector<Variant> scatter(const Variant& variant, const To& to) {
    return std::visit(
        [&](const auto& value) {
          using Value = std::decay_t<decltype(value)>;
          std::vector<Value> parts = Parts<Value>::scatter(value, to);
          return std::vector<Variant>(std::make_move_iterator(parts.begin()),
                                      std::make_move_iterator(parts.end()));
        },
        variant);
  }
  template <typename To>
  static Variant gather(const std::vector<Variant>& outputs, const To& to) {
    return std::visit(
        [&](const auto& first) -> Variant {
          using Value = std::decay_t<decltype(first)>;
          std::vector<Value> values;
          for (const Variant& output : outputs) {
            const Value* value = std::get_if<Value>(&output);
            if (value == nullptr)
              to.refuse(PythonError::kType, "the replicas' outputs have different types");
            values.push_back(*value);
          }
          return Parts<Value>::gather(values, to);
        },
        outputs[0]);
  }
};

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

namespace detail {

template <typename Key, typename = void>
struct IsPrinted : std::false_type {};
template <typename Key>
struct IsPrinted<Key,
                 std::void_t<decltype(std::declval<std::ostream&>() << std::declval<const Key&>())>>
    : std::true_type {};

template <typename Key>
std::string key_text(const Key& key) {
  if constexpr (IsPrinted<Key>::value) {
    return runtime::text_of(key);
  } else {
    return "a key of the first output";
  }
}

template <typename Dict>
struct DictParts {
  using Access = MapAccess<Dict>;
  using Key = typename Access::Key;
  using Value = typename Access::Value;

  template <typename Visit>
  static void visit(const Dict& dict, const Visit& visit) {
    Access::for_each(dict,
                     [&](const Key&, const Value& value) { Parts<Value>::visit(value, visit); });
  }

  template <typename To>
  static std::vector<Dict> scatter(const Dict& dict, const To& to) {
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

  template <typename To>
  static Dict gather(const std::vector<Dict>& outputs, const To& to) {
    for (const Dict& output : outputs) {
      if (output.size() != outputs[0].size())
        to.refuse(PythonError::kValue, "All dicts must have the same number of keys");
    }
    Dict result;
    Access::for_each(outputs[0], [&](const Key& key, const Value&) {
      std::vector<Value> column;
      for (const Dict& output : outputs) {
        const Value* value = Access::find(output, key);
        if (value == nullptr) to.refuse(PythonError::kKey, detail::key_text(key));
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

// Refuses tensors in `value` that make different numbers of pieces: the rows of the longer ones
// would be dropped, as PyTorch drops them.
template <typename Value, typename To>
void check_equal_pieces(const Value& value, const To& to) {
  const auto count = static_cast<std::int64_t>(to.devices.size());
  std::int64_t first = -1;
  std::size_t expected = 0;
  Parts<Value>::visit(value, [&](const auto& tensor) {
    if (tensor.dim() == 0) return;
    const std::int64_t size = tensor.size(to.dim);
    const std::size_t pieces = runtime::chunk_sizes(size, count).size();
    if (first < 0) {
      first = size;
      expected = pieces;
    }
    if (pieces == expected) return;
    to.refuse(PythonError::kValue,
              runtime::text_of("the inputs cannot be scattered together to ", count,
                               " devices: one of size ", first, " in dimension ", to.dim, " makes ",
                               expected, " pieces, one of size ", size, " makes ", pieces,
                               ", so that rows of the batch would be dropped"));
  });
}

}  // namespace placecheck::parallel

#endif  // PLACECHECK_RUNTIME_PARALLEL_COMMON_PARTS_H_
