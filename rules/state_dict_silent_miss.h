// state-dict-silent-miss: the prefixes differ, misses are tolerated, and so nothing is loaded.
// Constants and pure functions; any thread may call them.
#ifndef PLACECHECK_RULES_STATE_DICT_SILENT_MISS_H_
#define PLACECHECK_RULES_STATE_DICT_SILENT_MISS_H_

#include <string>

#include "rules/facts.h"
#include "rules/rule.h"
#include "rules/verdict.h"

namespace placecheck::rules::state_dict_silent_miss {

inline constexpr Rule kRule{
    .id = "state-dict-silent-miss",
    .summary =
        "a state dict of which no key is the module's is loaded non-strictly: nothing is loaded "
        "and "
        "no error is raised",
    .category = Category::kCheckpoint,
    .severity = Severity::kWarning,
    .languages = {.cpp = true, .cuda = true, .python = true},
    .witnesses = {.analyzer = true, .runtime = true},
    .predicted_error = "",
};

// `strict`: a key that is missing is an error.
constexpr Verdict judge(PrefixFact saved, PrefixFact target, Trait strict) {
  if (strict == Trait::kYes) return Verdict::kHolds;  // state-dict-prefix reports it
  const Verdict same = same_prefix(saved, target);
  if (same == Verdict::kBroken && strict == Trait::kUnknown) return Verdict::kUnknown;
  return same;
}

// There is no error at run time; this is what a checking runtime says instead of staying silent.
inline std::string message() {
  return "no key of the state dict matches the module: nothing was loaded (the keys differ by the "
         "prefix \"module.\")";
}

}  // namespace placecheck::rules::state_dict_silent_miss

#endif  // PLACECHECK_RULES_STATE_DICT_SILENT_MISS_H_
