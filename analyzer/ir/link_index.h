// Which unit defines what: built once for all units, shared by all programs, for link.cc.
//
// Points into the units. Read-only once built, so that several threads may look up at once.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "analyzer/ir/ir.h"

namespace placecheck::ir {

inline constexpr uint32_t kNoUnit = ~uint32_t{0};

template <typename Symbol>
struct Definition {
  const Symbol* symbol = nullptr;
  uint32_t unit = kNoUnit;
};

// The definitions of one kind of symbol, by key.
template <typename Symbol>
class SymbolTable {
 public:
  void add(std::string_view key, const Symbol& symbol, uint32_t unit) {
    by_key_[key].push_back({&symbol, unit});
    if (own_.size() <= unit) own_.resize(unit + 1);
    own_[unit].emplace(key, &symbol);
    unit_of_.emplace(&symbol, unit);
  }

  std::span<const Definition<Symbol>> all(std::string_view key) const {
    auto found = by_key_.find(key);
    if (found == by_key_.end()) return {};
    return found->second;
  }

  const Symbol* in_unit(std::string_view key, uint32_t unit) const {
    if (unit >= own_.size()) return nullptr;
    auto found = own_[unit].find(key);
    return found == own_[unit].end() ? nullptr : found->second;
  }

  uint32_t unit_of(const Symbol& symbol) const {
    auto found = unit_of_.find(&symbol);
    return found == unit_of_.end() ? kNoUnit : found->second;
  }

 private:
  std::unordered_map<std::string_view, std::vector<Definition<Symbol>>> by_key_;
  std::vector<std::unordered_map<std::string_view, const Symbol*>> own_;
  std::unordered_map<const Symbol*, uint32_t> unit_of_;
};

class LinkIndex {
 public:
  explicit LinkIndex(std::span<const Unit* const> units);

  size_t size() const { return units_.size(); }
  const Unit& unit(uint32_t number) const { return *units_[number]; }
  uint32_t number_of(const Unit* unit) const;
  std::string_view folder(uint32_t unit) const { return folders_[unit]; }
  bool has_entry(uint32_t unit) const { return has_entry_[unit]; }

  const SymbolTable<Function>& functions() const { return functions_; }
  const SymbolTable<Class>& classes() const { return classes_; }
  // Defined globals only, that is with an initializer; and the mere declarations.
  const SymbolTable<Global>& globals() const { return globals_; }
  const SymbolTable<Global>& declarations() const { return declarations_; }

  // The definition that fits best among those in units for which `members` holds (empty: all).
  template <typename Symbol>
  Definition<Symbol> pick(std::span<const Definition<Symbol>> all, uint32_t user,
                          const std::vector<bool>& members) const;

  // For a key that no unit defines: the function of the same name and parameters that a file
  // exports, which does not include the declaration. It is the only one of the nearest folder.
  Definition<Function> declared_elsewhere(std::string_view key, uint32_t user,
                                          const std::vector<bool>& members) const;

 private:
  void add(uint32_t number);
  template <typename Symbol>
  Definition<Symbol> only_one(std::span<const Definition<Symbol>> candidates) const;
  bool same_place(const Range& a, uint32_t unit_a, const Range& b, uint32_t unit_b) const;

  std::vector<const Unit*> units_;
  std::unordered_map<const Unit*, uint32_t> numbers_;
  std::unordered_set<std::string_view> unit_files_;
  std::vector<std::string_view> folders_;
  std::vector<bool> has_entry_;
  SymbolTable<Function> functions_;
  SymbolTable<Class> classes_;
  SymbolTable<Global> globals_;
  SymbolTable<Global> declarations_;
  SymbolTable<Function> by_signature_;  // exported functions, by the key up to '@'
};

}  // namespace placecheck::ir
