// What a rule's predicate answers. The analyzer reports kBroken only; the runtime, whose facts are
// all known, never sees kUnknown. Plain values, usable in constant expressions.
#ifndef PLACECHECK_RULES_VERDICT_H_
#define PLACECHECK_RULES_VERDICT_H_

namespace placecheck::rules {

enum class Verdict { kHolds, kBroken, kUnknown };

// All of several requirements: one broken breaks all, else one unknown leaves all unknown.
constexpr Verdict all_of(Verdict a, Verdict b) {
  if (a == Verdict::kBroken || b == Verdict::kBroken) return Verdict::kBroken;
  if (a == Verdict::kUnknown || b == Verdict::kUnknown) return Verdict::kUnknown;
  return Verdict::kHolds;
}

// One of two requirements is enough: one that holds settles it.
constexpr Verdict any_of(Verdict a, Verdict b) {
  if (a == Verdict::kHolds || b == Verdict::kHolds) return Verdict::kHolds;
  if (a == Verdict::kUnknown || b == Verdict::kUnknown) return Verdict::kUnknown;
  return Verdict::kBroken;
}

}  // namespace placecheck::rules

#endif  // PLACECHECK_RULES_VERDICT_H_
