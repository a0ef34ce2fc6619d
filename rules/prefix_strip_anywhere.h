// prefix-strip-anywhere: "module." is removed from keys wherever it occurs, or with a wrong length.
// Constants and pure functions; any thread may call them.
#ifndef PLACECHECK_RULES_PREFIX_STRIP_ANYWHERE_H_
#define PLACECHECK_RULES_PREFIX_STRIP_ANYWHERE_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "rules/facts.h"
#include "rules/rule.h"
#include "rules/state_dict_prefix.h"
#include "rules/verdict.h"

namespace placecheck::rules::prefix_strip_anywhere {

inline constexpr Rule kRule{
    .id = "prefix-strip-anywhere",
    .summary =
        "the prefix \"module.\" is removed from keys wherever it occurs, or with a wrong length",
    .category = Category::kCheckpoint,
    .severity = Severity::kWarning,
    .languages = {.cpp = true, .cuda = true, .python = true},
    .witnesses = {.analyzer = true, .runtime = false},
    .predicted_error = state_dict_prefix::kRule.predicted_error,
};

inline constexpr std::string_view kPrefix = "module.";

// Whether what is looked for is the wrapper's prefix; its dot may be left to the length.
constexpr bool is_prefix(std::string_view part) { return part == kPrefix || part == "module"; }

// The same of a regular expression that may match in the middle.
constexpr bool is_loose_pattern(std::string_view pattern) {
  return pattern == "module." || pattern == "module\\." || pattern == "(module\\.)" ||
         pattern == "(module.)" || pattern == "module[.]" || pattern == "\\.?module\\.";
}

// Every occurrence of the prefix is removed, not the one at the beginning.
constexpr Verdict judge_every(Trait every) {
  if (every == Trait::kUnknown) return Verdict::kUnknown;
  return every == Trait::kYes ? Verdict::kBroken : Verdict::kHolds;
}

// As many letters are removed from the beginning. Much more than the prefix is not meant to be it.
constexpr Verdict judge_length(std::int64_t length) {
  const auto size = static_cast<std::int64_t>(kPrefix.size());
  if (length == size) return Verdict::kHolds;
  return length > 0 && length <= size + 1 ? Verdict::kBroken : Verdict::kUnknown;
}

// What the keys of a state dict become: what PyTorch says when they are loaded.
inline std::string message(std::string_view class_name, std::span<const std::string_view> missing,
                           std::span<const std::string_view> unexpected) {
  return state_dict_prefix::message(class_name, missing, unexpected);
}

}  // namespace placecheck::rules::prefix_strip_anywhere

#endif  // PLACECHECK_RULES_PREFIX_STRIP_ANYWHERE_H_
