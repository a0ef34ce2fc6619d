// missing-key: a tensor or a module is asked for by a name that it does not have, or an archive for
// an entry that was not written. Constants and pure functions; any thread may call them.
#ifndef PLACECHECK_RULES_MISSING_KEY_H_
#define PLACECHECK_RULES_MISSING_KEY_H_

#include <string>
#include <string_view>

#include "rules/facts.h"
#include "rules/rule.h"
#include "rules/verdict.h"

namespace placecheck::rules::missing_key {

// The texts of the errors are those of state-dict-prefix, whose keys are there by another name.
inline constexpr Rule kRule{
    .id = "missing-key",
    .summary = "a tensor, a module or an archive's entry is asked for by a name that is not there",
    .category = Category::kCheckpoint,
    .severity = Severity::kError,
    .languages = {.cpp = true, .cuda = true, .python = true},
    .witnesses = {.analyzer = true, .runtime = false},
    .predicted_error = "Key '{}' is not defined",
};

// What a table of Python raises.
inline std::string message_of_table(std::string_view key) {
  return "KeyError: '" + std::string(key) + "'";
}

constexpr Verdict judge(Trait is_there) {
  if (is_there == Trait::kUnknown) return Verdict::kUnknown;
  return is_there == Trait::kNo ? Verdict::kBroken : Verdict::kHolds;
}

}  // namespace placecheck::rules::missing_key

#endif  // PLACECHECK_RULES_MISSING_KEY_H_
