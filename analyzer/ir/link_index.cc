#include "analyzer/ir/link_index.h"

#include <algorithm>

namespace placecheck::ir {
namespace {

std::string_view folder_of(std::string_view path) {
  size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

// How many folders from the root on both are below.
size_t common_folders(std::string_view a, std::string_view b) {
  size_t count = 0;
  for (size_t i = 0;; ++i) {
    const bool ends_a = i >= a.size() || a[i] == '/';
    const bool ends_b = i >= b.size() || b[i] == '/';
    if (ends_a && ends_b) ++count;
    if (i >= a.size() || i >= b.size() || a[i] != b[i]) return count;
  }
}

// The key without "@" and the file that declares it; a path may hold an '@' itself.
std::string_view signature_of(std::string_view key, const Unit& unit) {
  if (!unit.files.empty() && key.ends_with("@" + unit.files[0])) {
    return key.substr(0, key.size() - unit.files[0].size() - 1);
  }
  return key.substr(0, std::min(key.rfind('@'), key.size()));
}

}  // namespace

LinkIndex::LinkIndex(std::span<const Unit* const> units) : units_(units.begin(), units.end()) {
  for (uint32_t number = 0; number < units_.size(); ++number) add(number);
}

void LinkIndex::add(uint32_t number) {
  const Unit& unit = *units_[number];
  if (!unit.files.empty()) unit_files_.insert(unit.files[0]);
  numbers_.emplace(&unit, number);
  folders_.push_back(unit.files.empty() ? std::string_view() : folder_of(unit.files[0]));
  has_entry_.push_back(std::any_of(unit.functions.begin(), unit.functions.end(),
                                   [](const Function& each) { return each.is_entry; }));
  for (const Function& function : unit.functions) {
    functions_.add(function.key, function, number);
    // The keys of default arguments are their function's with a number behind the file.
    if (function.is_exported && function.kind != FunctionKind::kInitializer)
      by_signature_.add(signature_of(function.key, unit), function, number);
  }
  for (const Class& each : unit.classes) classes_.add(each.key, each, number);
  for (const Global& global : unit.globals) {
    (global.initializer.empty() ? declarations_ : globals_).add(global.slot, global, number);
  }
}

uint32_t LinkIndex::number_of(const Unit* unit) const {
  auto found = numbers_.find(unit);
  return found == numbers_.end() ? kNoUnit : found->second;
}

bool LinkIndex::same_place(const Range& a, uint32_t unit_a, const Range& b, uint32_t unit_b) const {
  if (unit_a == unit_b) return true;
  const auto& files_a = units_[unit_a]->files;
  const auto& files_b = units_[unit_b]->files;
  if (!a.valid() || a.line != b.line || a.column != b.column) return false;
  return a.file < files_a.size() && b.file < files_b.size() && files_a[a.file] == files_b[b.file];
}

template <typename Symbol>
Definition<Symbol> LinkIndex::only_one(std::span<const Definition<Symbol>> candidates) const {
  if (candidates.empty()) return {};
  const Definition<Symbol>& first = candidates.front();
  bool agree = std::all_of(candidates.begin(), candidates.end(), [&](const auto& each) {
    return same_place(first.symbol->range, first.unit, each.symbol->range, each.unit);
  });
  return agree ? first : Definition<Symbol>();
}

template <typename Symbol>
Definition<Symbol> LinkIndex::pick(std::span<const Definition<Symbol>> all, uint32_t user,
                                   const std::vector<bool>& members) const {
  if (all.size() == 1 && members.empty()) return all[0];
  std::vector<Definition<Symbol>> candidates;
  for (const auto& each : all) {
    if (each.unit == user) return each;
    if (members.empty() || members[each.unit]) candidates.push_back(each);
  }
  // Nobody links two entries, so what another program's file defines is the last thing meant.
  auto has_no_entry = [&](const auto& each) { return !has_entry_[each.unit]; };
  if (members.empty() && std::any_of(candidates.begin(), candidates.end(), has_no_entry)) {
    std::erase_if(candidates, [&](const auto& each) { return has_entry_[each.unit]; });
  }
  Definition<Symbol> best = only_one<Symbol>(candidates);
  if (best.symbol || user == kNoUnit) return best;
  std::erase_if(candidates,
                [&](const auto& each) { return folders_[each.unit] != folders_[user]; });
  return only_one<Symbol>(candidates);
}

template Definition<Function> LinkIndex::pick(std::span<const Definition<Function>>, uint32_t,
                                              const std::vector<bool>&) const;
template Definition<Class> LinkIndex::pick(std::span<const Definition<Class>>, uint32_t,
                                           const std::vector<bool>&) const;
template Definition<Global> LinkIndex::pick(std::span<const Definition<Global>>, uint32_t,
                                            const std::vector<bool>&) const;

Definition<Function> LinkIndex::declared_elsewhere(std::string_view key, uint32_t user,
                                                   const std::vector<bool>& members) const {
  if (user == kNoUnit || units_[user]->files.empty()) return {};
  bool by_user = key.ends_with("@" + units_[user]->files[0]);
  std::string_view declaring = key.substr(std::min(key.rfind('@') + 1, key.size()));
  if (!by_user && unit_files_.count(declaring)) return {};  // another unit's own declaration
  std::vector<Definition<Function>> near;
  for (const auto& each : by_signature_.all(signature_of(key, *units_[user]))) {
    // A header's function whose definition does not include the header is declared by itself.
    const std::string& own_file = units_[each.unit]->files.front();
    bool by_itself =
        each.symbol->kind == FunctionKind::kFunction && each.symbol->key.ends_with("@" + own_file);
    if (by_user || by_itself) near.push_back(each);
  }
  // A project may hold copies of a library: each declaration speaks of the definition nearest to
  // it.
  const auto nearness = [&](const Definition<Function>& each) {
    const bool is_beside = folders_[each.unit] == folders_[user];
    return 2 * common_folders(folder_of(declaring), folders_[each.unit]) + (by_user && is_beside);
  };
  size_t nearest = 0;
  for (const auto& each : near) nearest = std::max(nearest, nearness(each));
  std::erase_if(near, [&](const auto& each) { return nearness(each) < nearest; });
  return pick<Function>(near, user, members);
}

}  // namespace placecheck::ir
