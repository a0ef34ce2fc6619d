// data-parallel-attribute: the wrapped module's member is asked of the wrapper.
// Constants and pure functions; any thread may call them.
#ifndef PLACECHECK_RULES_DATA_PARALLEL_ATTRIBUTE_H_
#define PLACECHECK_RULES_DATA_PARALLEL_ATTRIBUTE_H_

#include <string>
#include <string_view>

#include "rules/facts.h"
#include "rules/rule.h"
#include "rules/verdict.h"

namespace placecheck::rules::data_parallel_attribute {

inline constexpr Rule kRule{
    .id = "data-parallel-attribute",
    .summary = "a member of the wrapped module is looked up in its data-parallel wrapper",
    .category = Category::kDataParallel,
    .severity = Severity::kError,
    .languages = {.cpp = false, .cuda = false, .python = true},
    .witnesses = {.analyzer = true, .runtime = false},
    .predicted_error = "'{}' object has no attribute '{}'",
};

// Whether the wrapper has the attribute itself, and whether the module inside of it has.
constexpr Verdict judge(Trait wrapper_has, Trait module_has) {
  if (wrapper_has == Trait::kYes || module_has == Trait::kNo) return Verdict::kHolds;
  if (wrapper_has == Trait::kUnknown || module_has == Trait::kUnknown) return Verdict::kUnknown;
  return Verdict::kBroken;
}

// next() of the parameters of a replica: Module._replicate_for_data_parallel empties them, and
// ExceptionWrapper names the replica.
inline constexpr std::string_view kNoParameters =
    "StopIteration: Caught StopIteration in replica 0 on device 0.";

inline std::string message(std::string_view wrapper, std::string_view attribute) {
  return "'" + std::string(wrapper) + "' object has no attribute '" + std::string(attribute) + "'";
}

}  // namespace placecheck::rules::data_parallel_attribute

#endif  // PLACECHECK_RULES_DATA_PARALLEL_ATTRIBUTE_H_
