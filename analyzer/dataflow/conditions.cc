#include "analyzer/dataflow/conditions.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <set>

#include "analyzer/dataflow/state.h"

namespace placecheck::dataflow {
namespace {

constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

std::optional<int64_t> constant(Name name, const Names& names) {
  const std::string& text = names.text(name);
  int64_t number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  bool is_whole = error == std::errc() && end == text.data() + text.size() && !text.empty();
  return is_whole ? std::optional(number) : std::nullopt;
}

// `scalar` compared with a constant.
struct Comparison {
  enum class Kind { kAbove, kBelow, kEqual };
  Name scalar = 0;
  Kind kind = Kind::kEqual;
  int64_t limit = 0;
};

std::optional<Comparison> comparison(Name condition, const Names& names) {
  const std::vector<Name>& operands = names.operands(condition);
  bool is_equality = names.is_term(condition, "eq");
  if (operands.size() != 2 || (!is_equality && !names.is_term(condition, "lt")))
    return Comparison{condition, Comparison::Kind::kEqual, 0};
  std::optional<int64_t> left = constant(operands[0], names);
  std::optional<int64_t> right = constant(operands[1], names);
  if (left.has_value() == right.has_value()) return std::nullopt;
  if (is_equality)
    return Comparison{operands[left ? 1 : 0], Comparison::Kind::kEqual, left ? *left : *right};
  if (left) return Comparison{operands[1], Comparison::Kind::kAbove, *left};
  return Comparison{operands[0], Comparison::Kind::kBelow, *right};
}

// The integers that a scalar can still be.
class Range {
 public:
  void restrict(const Comparison& known, bool holds) {
    switch (known.kind) {
      case Comparison::Kind::kAbove:
        if (!holds) high_ = std::min(high_, known.limit);
        if (holds && known.limit < kMost) low_ = std::max(low_, known.limit + 1);
        break;
      case Comparison::Kind::kBelow:
        if (!holds) low_ = std::max(low_, known.limit);
        if (holds && known.limit > kLeast) high_ = std::min(high_, known.limit - 1);
        break;
      case Comparison::Kind::kEqual:
        if (holds) low_ = high_ = known.limit;
        if (!holds) excluded_.insert(known.limit);
    }
    while (low_ < high_ && excluded_.count(low_)) ++low_;
    while (low_ < high_ && excluded_.count(high_)) --high_;
  }

  std::optional<bool> decide(const Comparison& asked) const {
    switch (asked.kind) {
      case Comparison::Kind::kAbove:
        if (low_ > asked.limit) return true;
        if (high_ <= asked.limit) return false;
        return std::nullopt;
      case Comparison::Kind::kBelow:
        if (high_ < asked.limit) return true;
        if (low_ >= asked.limit) return false;
        return std::nullopt;
      case Comparison::Kind::kEqual:
        if (low_ == high_ && low_ == asked.limit) return true;
        if (asked.limit < low_ || asked.limit > high_ || excluded_.count(asked.limit)) return false;
    }
    return std::nullopt;
  }

 private:
  int64_t low_ = kLeast;
  int64_t high_ = kMost;
  std::set<int64_t> excluded_;
};

// A scalar that is taken as a condition holds where it is not 0.
bool is_bare(Name condition, const Comparison& as) { return condition == as.scalar; }

}  // namespace

Condition strip_negations(Name name, const Names& names) {
  Condition condition{name, true};
  while (names.is_term(condition.name, "not")) {
    condition.name = names.operands(condition.name)[0];
    condition.holds = !condition.holds;
  }
  return condition;
}

Name negated(Name condition, Names& names) {
  if (names.is_term(condition, "not")) return names.operands(condition)[0];
  return names.term("not", {condition});
}

bool is_about_cache(Name condition, const Names& names) {
  if (names.is_term(condition, kOfCache)) return true;
  return std::ranges::any_of(names.operands(condition),
                             [&](Name each) { return is_about_cache(each, names); });
}

std::optional<bool> decided(const State& state, Name condition, const Names& names) {
  if (std::optional<bool> assumed = state.assumed(condition)) return assumed;
  // None is no true value.
  if (names.is_term(condition, kIsNone)) {
    if (state.assumed(names.operands(condition)[0]) == true) return false;
  } else if (Name is_none = names.find(std::string(kIsNone) + "(" + names.text(condition) + ")");
             is_none != 0 && state.assumed(is_none) == true) {
    return false;
  }
  std::optional<Comparison> asked = comparison(condition, names);
  if (!asked) return std::nullopt;
  Range range;
  for (const auto& [name, holds] : state.assumptions) {
    if (name != asked->scalar && std::ranges::count(names.operands(name), asked->scalar) == 0)
      continue;
    std::optional<Comparison> known = comparison(name, names);
    if (known && known->scalar == asked->scalar)
      range.restrict(*known, is_bare(name, *known) ? !holds : holds);
  }
  std::optional<bool> answer = range.decide(*asked);
  if (answer && is_bare(condition, *asked)) return !*answer;
  return answer;
}

}  // namespace placecheck::dataflow
