// nccl-usage: a collective of ranks that do not agree, or with a buffer that is not on its rank's
// device; several ranks of one thread that are asked one after the other.
// Constants and pure functions; any thread may call them.
#ifndef PLACECHECK_RULES_NCCL_USAGE_H_
#define PLACECHECK_RULES_NCCL_USAGE_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "rules/facts.h"
#include "rules/rule.h"
#include "rules/verdict.h"

namespace placecheck::rules::nccl_usage {

inline constexpr Rule kRule{
    .id = "nccl-usage",
    .summary = "the ranks of a collective do not agree, or its buffer is on another device",
    .category = Category::kPlacement,
    .severity = Severity::kError,
    .languages = {.cpp = true, .cuda = true},
    .witnesses = {.analyzer = true, .runtime = true},
    .predicted_error = "input and output elements have to be cuda dense Tensors",
};

// What one rank asks for.
struct Call {
  std::string_view operation;  // "all_reduce"
  std::string_view dtype;      // "Float"
  std::int64_t count = 0;
  std::int64_t root = 0;
};

// A rank's buffer against the device that its communicator was made for.
constexpr Verdict judge_buffer(DeviceFact buffer, DeviceFact rank) {
  return same_place(buffer, rank);
}

// One communicator a device.
constexpr Verdict judge_devices(std::span<const DeviceFact> devices) {
  Verdict verdict = Verdict::kHolds;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    for (std::size_t j = i + 1; j < devices.size(); ++j) {
      Verdict same = same_place(devices[i], devices[j]);
      if (same == Verdict::kHolds) return Verdict::kBroken;
      if (same == Verdict::kUnknown) verdict = Verdict::kUnknown;
    }
  }
  return verdict;
}

constexpr Verdict judge_root(std::int64_t root, std::int64_t size) {
  return root >= 0 && root < size ? Verdict::kHolds : Verdict::kBroken;
}

constexpr Verdict judge_calls(const Call& a, const Call& b) {
  bool agree =
      a.operation == b.operation && a.dtype == b.dtype && a.count == b.count && a.root == b.root;
  return agree ? Verdict::kHolds : Verdict::kBroken;
}

// What one thread asks of two ranks: together, or one after the other.
constexpr Verdict judge_order(bool is_grouped, std::int64_t rank_a, std::int64_t rank_b) {
  return is_grouped || rank_a == rank_b ? Verdict::kHolds : Verdict::kBroken;
}

inline std::string buffer_message(std::string_view operation, std::size_t rank,
                                  std::string_view expected, std::string_view found) {
  return "input and output elements have to be cuda dense Tensors: " + std::string(operation) +
         " of rank " + std::to_string(rank) + " needs one on " + std::string(expected) +
         ", but got one on " + std::string(found);
}

inline std::string order_message() {
  return "none: the ranks wait for each other, and the program hangs";
}

// For a group that is closed and was never opened. NCCL's own words, in group.cc.
inline std::string unopened_message() {
  return "ncclInvalidUsage: ncclGroupEnd: not in a group call.";
}

inline std::string devices_message() { return "inputs must be on unique devices"; }

inline std::string root_message(std::string_view operation, std::int64_t root, std::int64_t size) {
  return std::string(operation) + ": root must be one of " + std::to_string(size) +
         " ranks, but got " + std::to_string(root);
}

// For two calls that do not agree.
inline std::string calls_message(std::size_t rank_a, const Call& a, std::size_t rank_b,
                                 const Call& b) {
  auto rank = [](std::size_t number) { return "rank " + std::to_string(number); };
  auto both = [&](const std::string& of_a, const std::string& of_b) {
    return ": " + of_a + " in " + rank(rank_a) + ", " + of_b + " in " + rank(rank_b);
  };
  if (a.operation != b.operation) {
    return rank(rank_a) + " is in " + std::string(a.operation) + " while " + rank(rank_b) +
           " is in " + std::string(b.operation);
  }
  if (a.dtype != b.dtype) {
    return "all inputs and outputs must be of the same Tensor dtype" +
           both(std::string(a.dtype), std::string(b.dtype));
  }
  if (a.count != b.count) {
    return "all inputs must have the same number of elements" +
           both(std::to_string(a.count), std::to_string(b.count));
  }
  return "all ranks must name the same root" + both(std::to_string(a.root), std::to_string(b.root));
}

}  // namespace placecheck::rules::nccl_usage

#endif  // PLACECHECK_RULES_NCCL_USAGE_H_
