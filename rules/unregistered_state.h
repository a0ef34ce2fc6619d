// unregistered-state: a parameter, tensor or submodule that its module does not know of.
// Constants and pure functions; any thread may call them.
#ifndef PLACECHECK_RULES_UNREGISTERED_STATE_H_
#define PLACECHECK_RULES_UNREGISTERED_STATE_H_

#include <string>
#include <string_view>

#include "rules/device_mismatch.h"
#include "rules/facts.h"
#include "rules/rule.h"
#include "rules/verdict.h"

namespace placecheck::rules::unregistered_state {

inline constexpr Rule kRule{
    .id = "unregistered-state",
    .summary =
        "a member with state is never registered, so to(), parameters(), save and eval() "
        "miss it",
    .category = Category::kModuleState,
    .severity = Severity::kWarning,
    .languages = {.cpp = true, .cuda = true, .python = true},
    .witnesses = {.analyzer = true, .runtime = true},
    .predicted_error = device_mismatch::kRule.predicted_error,
};

struct MemberFact {
  Trait stateful = Trait::kUnknown;    // holds parameters, buffers, a tensor, or a training mode
  Trait registered = Trait::kUnknown;  // on every path of construction
  Trait owner_used = Trait::kUnknown;  // the owner is moved, optimised, saved, loaded or switched
};

constexpr Verdict judge(MemberFact member) {
  if (member.stateful == Trait::kNo || member.registered == Trait::kYes ||
      member.owner_used == Trait::kNo) {
    return Verdict::kHolds;
  }
  const bool certain = member.stateful == Trait::kYes && member.registered == Trait::kNo &&
                       member.owner_used == Trait::kYes;
  return certain ? Verdict::kBroken : Verdict::kUnknown;
}

// After the owner has moved, the member meets the input on the owner's device. Where the owner is
// never moved there is no error at all: the member is silently not trained, saved or switched.
inline std::string message(std::string_view owner_device, std::string_view member_device) {
  return device_mismatch::message(owner_device, member_device);
}

// A member that is assigned another tensor than what was registered by its name: no error either.
inline constexpr std::string_view kReassigned =
    "no error: to(), save() and load() use the tensor that was registered";

}  // namespace placecheck::rules::unregistered_state

#endif  // PLACECHECK_RULES_UNREGISTERED_STATE_H_
