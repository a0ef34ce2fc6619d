// A dictionary that keeps its keys in the order in which they came. Keys are strings.
// Ownership: owns keys and values. Threads: as a vector. Errors: core::Error with libtorch's texts.
#ifndef PLACECHECK_RUNTIME_CORE_ORDERED_DICT_H_
#define PLACECHECK_RUNTIME_CORE_ORDERED_DICT_H_

#include <algorithm>
#include <cstddef>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/core/check.h"

namespace placecheck::runtime {

template <typename Value>
class OrderedDict {
 public:
  class Item {
   public:
    Item(std::string key, Value value) : key_(std::move(key)), value_(std::move(value)) {}
    const std::string& key() const { return key_; }
    const Value& value() const { return value_; }
    Value& value() { return value_; }

   private:
    std::string key_;
    Value value_;
  };

  OrderedDict() = default;
  OrderedDict(std::initializer_list<Item> items) {
    for (const Item& item : items) insert(item.key(), item.value());
  }

  std::size_t size() const { return items_.size(); }
  bool is_empty() const { return items_.empty(); }
  auto begin() const { return items_.begin(); }
  auto end() const { return items_.end(); }
  auto begin() { return items_.begin(); }
  auto end() { return items_.end(); }
  const std::vector<Item>& items() const { return items_; }

  bool contains(const std::string& key) const { return index_.contains(key); }
  const Value* find(const std::string& key) const {
    auto found = index_.find(key);
    return found == index_.end() ? nullptr : &items_[found->second].value();
  }
  Value* find(const std::string& key) { return const_cast<Value*>(std::as_const(*this).find(key)); }
  const Value& operator[](const std::string& key) const {
    const Value* value = find(key);
    check<KeyError>(value != nullptr, "Key '", key, "' is not defined");
    return *value;
  }
  Value& operator[](const std::string& key) {
    return const_cast<Value&>(std::as_const(*this)[key]);
  }

  // Throws for a key that is there already.
  Value& insert(std::string key, Value value) {
    check(index_.try_emplace(key, items_.size()).second, "Key '", key, "' already defined");
    items_.emplace_back(std::move(key), std::move(value));
    return items_.back().value();
  }
  void erase(const std::string& key) {
    auto found = index_.find(key);
    check<KeyError>(found != index_.end(), "Key '", key, "' is not defined");
    items_.erase(items_.begin() + static_cast<std::ptrdiff_t>(found->second));
    index_.clear();
    for (std::size_t i = 0; i < items_.size(); ++i) index_[items_[i].key()] = i;
  }

  std::vector<std::string> keys() const {
    std::vector<std::string> result;
    result.reserve(items_.size());
    for (const Item& item : items_) result.push_back(item.key());
    return result;
  }
  std::vector<Value> values() const {
    std::vector<Value> result;
    result.reserve(items_.size());
    for (const Item& item : items_) result.push_back(item.value());
    return result;
  }

 private:
  std::vector<Item> items_;
  std::unordered_map<std::string, std::size_t> index_;
};

}  // namespace placecheck::runtime

#endif  // PLACECHECK_RUNTIME_CORE_ORDERED_DICT_H_
