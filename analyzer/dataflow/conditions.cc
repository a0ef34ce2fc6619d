#include "analyzer/dataflow/conditions.h"

#include <algorithm>
#include <limits>
#include <set>

#include "analyzer/dataflow/state.h"
#include "analyzer/dataflow/symbols.h"

namespace placecheck::dataflow {
namespace {

constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

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
  std::optional<int64_t> left = names.integer(operands[0]);
  std::optional<int64_t> right = names.integer(operands[1]);
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
    narrow();
  }

  // It is one of these literals; texts among them say nothing.
  void restrict_to(std::span<const Name> literals, const Names& names) {
    std::set<int64_t> numbers;
    for (const Name each : literals) {
      const std::optional<int64_t> number = names.integer(each);
      if (!number) return;
      numbers.insert(*number);
    }
    if (numbers.empty()) return;
    low_ = std::max(low_, *numbers.begin());
    high_ = std::min(high_, *numbers.rbegin());
    constexpr int64_t kWidest = 64;
    if (high_ - low_ > kWidest) return;
    for (int64_t each = low_; each <= high_; ++each)
      if (!numbers.contains(each)) excluded_.insert(each);
    narrow();
  }

  std::optional<int64_t> only() const { return low_ == high_ ? std::optional(low_) : std::nullopt; }

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
  void narrow() {
    while (low_ < high_ && excluded_.count(low_)) ++low_;
    while (low_ < high_ && excluded_.count(high_)) --high_;
  }

  int64_t low_ = kLeast;
  int64_t high_ = kMost;
  std::set<int64_t> excluded_;
};

// What is asked of a value of any type.
struct Question {
  enum class Kind { kTruth, kIsNone, kIsTrue, kIsFalse, kEquals, kOrder };
  Kind kind = Kind::kTruth;
  Name about = 0;
  Name literal = 0;  // kEquals, kOrder: what it is compared with
};

Question question_of(Name condition, const Names& names) {
  using Kind = Question::Kind;
  const std::vector<Name>& operands = names.operands(condition);
  if (operands.size() == 1) {
    if (names.is_term(condition, kIsNone)) return {Kind::kIsNone, operands[0]};
    if (names.is_term(condition, kIsTrue)) return {Kind::kIsTrue, operands[0]};
    if (names.is_term(condition, kIsFalse)) return {Kind::kIsFalse, operands[0]};
  }
  if (operands.size() == 2) {
    const size_t literal = is_literal(names.text(operands[0])) ? 0 : 1;
    const bool is_one = is_literal(names.text(operands[literal]));
    if (is_one && names.is_term(condition, "eq"))
      return {Kind::kEquals, operands[1 - literal], operands[literal]};
    if (is_one && names.is_term(condition, "lt"))
      return {Kind::kOrder, operands[1 - literal], operands[literal]};
  }
  return {Kind::kTruth, condition};
}

// What is known of a value once `known` has been answered with `holds`, where that answers `asked`.
// Numbers are left to Range.
std::optional<bool> answer_to(const Question& asked, const Question& known, bool holds,
                              const Names& names) {
  using Kind = Question::Kind;
  if (asked.about != known.about || asked.kind == Kind::kOrder) return std::nullopt;
  if (known.kind == Kind::kOrder)
    return asked.kind == Kind::kIsNone ? std::optional(false) : std::nullopt;
  if (!holds) {
    bool is_false = known.kind == Kind::kTruth && asked.kind == Kind::kIsTrue;
    return is_false ? std::optional(false) : std::nullopt;
  }
  const bool is_text = known.kind == Kind::kEquals && names.text(known.literal).starts_with("'");
  std::optional<bool> truth;
  if (known.kind == Kind::kIsNone || known.kind == Kind::kIsFalse) truth = false;
  if (known.kind == Kind::kIsTrue || known.kind == Kind::kTruth) truth = true;
  if (is_text) truth = names.text(known.literal) != "''";
  switch (asked.kind) {
    case Kind::kTruth:
      return truth;
    case Kind::kIsNone:
      return known.kind != Kind::kIsNone ? std::optional(false) : std::nullopt;
    case Kind::kIsTrue:
    case Kind::kIsFalse:
      if (truth == (asked.kind == Kind::kIsFalse) || is_text) return false;
      return std::nullopt;
    default:
      if (known.kind == Kind::kIsNone) return false;
      return is_text && asked.literal != known.literal ? std::optional(false) : std::nullopt;
  }
}

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

static Range range_of(const State& state, Name scalar, const Names& names) {
  Range range;
  const bool is_rank = names.text(scalar) == kRankOfProcess;
  if (is_rank) range.restrict({scalar, Comparison::Kind::kBelow, 0}, false);
  range.restrict_to(names.alternatives(scalar), names);
  for (const auto& [name, holds] : state.assumptions) {
    if (name != scalar && std::ranges::count(names.operands(name), scalar) == 0) continue;
    std::optional<Comparison> known = comparison(name, names);
    if (known && known->scalar == scalar)
      range.restrict(*known, is_bare(name, *known) ? !holds : holds);
  }
  return range;
}

std::optional<bool> holds_for_all(Name condition, const Names& names) {
  const std::optional<Comparison> asked = comparison(condition, names);
  if (!asked) return std::nullopt;
  Range range;
  range.restrict_to(names.alternatives(asked->scalar), names);
  const std::optional<bool> answer = range.decide(*asked);
  return answer && is_bare(condition, *asked) ? !*answer : answer;
}

std::optional<int64_t> constant_of(const State& state, Name scalar, const Names& names) {
  return range_of(state, scalar, names).only();
}

std::optional<bool> decided(const State& state, Name condition, const Names& names) {
  if (std::optional<bool> assumed = state.assumed(condition)) return assumed;
  const Question question = question_of(condition, names);
  for (const auto& [name, holds] : state.assumptions) {
    if (name != question.about && std::ranges::count(names.operands(name), question.about) == 0)
      continue;
    if (std::optional<bool> answer = answer_to(question, question_of(name, names), holds, names))
      return answer;
  }
  if (question.kind == Question::Kind::kEquals) {
    const std::span<const Name> possible = names.alternatives(question.about);
    if (!possible.empty() && std::ranges::find(possible, question.literal) == possible.end())
      return false;
  }
  std::optional<Comparison> asked = comparison(condition, names);
  if (!asked) return std::nullopt;
  std::optional<bool> answer = range_of(state, asked->scalar, names).decide(*asked);
  if (answer && is_bare(condition, *asked)) return !*answer;
  return answer;
}

std::optional<bool> truth_on_path(const State& state, const Value& value, const Names& names) {
  if (value.is(ValueKind::kBool)) return value.number != 0;
  if (!value.has_identity()) return std::nullopt;
  const Condition condition = strip_negations(value.name, names);
  const std::optional<bool> holds = decided(state, condition.name, names);
  return holds ? std::optional(*holds == condition.holds) : std::nullopt;
}

}  // namespace placecheck::dataflow
