// The tables in which find_effect() looks: a library each, sorted by name.
#pragma once

#include <algorithm>
#include <functional>
#include <span>
#include <string_view>

#include "analyzer/models/libraries/effects.h"

namespace placecheck::models {

struct EffectRow {
  std::string_view name;
  Effect effect;
};

constexpr bool is_sorted(std::span<const EffectRow> rows) {
  return std::ranges::adjacent_find(rows, std::ranges::greater_equal(), &EffectRow::name) ==
         rows.end();
}

// Null if there is no such row.
inline const EffectRow* find_row(std::span<const EffectRow> rows, std::string_view name) {
  auto at = std::ranges::lower_bound(rows, name, {}, &EffectRow::name);
  return at != rows.end() && at->name == name ? &*at : nullptr;
}

// CUDA's run time and driver, cuBLAS and NCCL.
std::span<const EffectRow> cuda_effects();

}  // namespace placecheck::models
