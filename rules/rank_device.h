// rank-device: every process of a group works on the same GPU, since none was chosen by its rank.
// Constants and pure functions; any thread may call them.
#ifndef PLACECHECK_RULES_RANK_DEVICE_H_
#define PLACECHECK_RULES_RANK_DEVICE_H_

#include <string>

#include "rules/facts.h"
#include "rules/rule.h"
#include "rules/verdict.h"

namespace placecheck::rules::rank_device {

inline constexpr Rule kRule{
    .id = "rank-device",
    .summary = "every process of a group works on the same GPU, since none was chosen by its rank",
    .category = Category::kPlacement,
    .severity = Severity::kWarning,
    .languages = {.cpp = true, .cuda = true, .python = true},
    .witnesses = {.analyzer = true, .runtime = false},
    .predicted_error = "Duplicate GPU detected : rank {} and rank {} both on CUDA device {}",
};

// What each of several ranks uses is on a device that is the same for all of them.
constexpr Verdict judge(DeviceFact device, Trait is_of_one_rank) {
  if (is_of_one_rank == Trait::kYes || device.is_cpu()) return Verdict::kHolds;
  const bool is_one = device.kind() == DeviceFact::Kind::kCuda;
  return is_one && is_of_one_rank == Trait::kNo ? Verdict::kBroken : Verdict::kUnknown;
}

// NCCL's text, of its init.cc, for the first two ranks.
inline std::string message() {
  return "Duplicate GPU detected : rank 1 and rank 0 both on CUDA device";
}

}  // namespace placecheck::rules::rank_device

#endif  // PLACECHECK_RULES_RANK_DEVICE_H_
