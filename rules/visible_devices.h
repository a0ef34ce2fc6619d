// visible-devices: the list of visible devices is set too late, wrongly formed, or its physical
// numbers are used where logical ones are meant.
// Constants and pure functions; any thread may call them.
#ifndef PLACECHECK_RULES_VISIBLE_DEVICES_H_
#define PLACECHECK_RULES_VISIBLE_DEVICES_H_

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "rules/facts.h"
#include "rules/rule.h"
#include "rules/verdict.h"

namespace placecheck::rules::visible_devices {

inline constexpr Rule kRule{
    .id = "visible-devices",
    .summary =
        "the variable CUDA_VISIBLE_DEVICES is set too late or wrongly, or its physical numbers are "
        "used in the program",
    .category = Category::kPlacement,
    .severity = Severity::kWarning,
    .languages = {.cpp = true, .cuda = true, .python = true},
    .witnesses = {.analyzer = true, .runtime = true},
    .predicted_error = "CUDA error: invalid device ordinal",
};

inline constexpr std::string_view kVariable = "CUDA_VISIBLE_DEVICES";

inline std::vector<std::string_view> entries(std::string_view list) {
  std::vector<std::string_view> result;
  while (!list.empty()) {
    const std::size_t comma = list.find(',');
    std::string_view entry = list.substr(0, comma);
    while (entry.starts_with(' ')) entry.remove_prefix(1);
    while (entry.ends_with(' ')) entry.remove_suffix(1);
    result.push_back(entry);
    if (comma == std::string_view::npos) break;
    list.remove_prefix(comma + 1);
    if (list.empty()) result.push_back("");
  }
  return result;
}

constexpr bool is_number(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

// Devices may be named by their identifier as well.
constexpr bool is_identifier(std::string_view entry) {
  return entry.starts_with("GPU-") || entry.starts_with("MIG-");
}

// Written to hide every device.
constexpr bool hides_all(std::string_view list) {
  return list.empty() || list == "-1" || list == "NoDevFiles" || list == "none" || list == "void";
}

// Whether an entry names one of `devices`; none: of as many as there are.
inline bool is_there(std::string_view entry, std::optional<std::int64_t> devices) {
  if (is_identifier(entry)) return true;
  if (!is_number(entry)) return false;
  if (!devices) return true;
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(entry.data(), entry.data() + entry.size(), number);
  return error == std::errc() && number < *devices;
}

// How many of the entries are seen: the first that names no device ends the list, a repeated one
// empties it. `devices`: how many the machine has, where that is known.
inline std::int64_t count(std::string_view list,
                          std::optional<std::int64_t> devices = std::nullopt) {
  const std::vector<std::string_view> all = entries(list);
  std::size_t seen = 0;
  while (seen < all.size() && is_there(all[seen], devices)) {
    const auto end = all.begin() + static_cast<std::ptrdiff_t>(seen);
    if (std::find(all.begin(), end, all[seen]) != end) return 0;
    ++seen;
  }
  return static_cast<std::int64_t>(seen);
}

// A list is broken where fewer devices are seen than it has entries.
inline Verdict judge(std::string_view list) {
  if (hides_all(list)) return Verdict::kHolds;
  const std::vector<std::string_view> all = entries(list);
  if (all.size() > 1 && all.back() == "-1") return Verdict::kUnknown;  // ends the list on purpose
  const bool complete = count(list) == static_cast<std::int64_t>(all.size());
  return complete ? Verdict::kHolds : Verdict::kBroken;
}

// The list is read once, when the devices' runtime starts.
constexpr Verdict judge_time(Trait started_before) {
  if (started_before == Trait::kUnknown) return Verdict::kUnknown;
  return started_before == Trait::kYes ? Verdict::kBroken : Verdict::kHolds;
}

// The devices of a list are numbered from 0 in its order; an index beyond it that is one of its
// entries was taken from the list.
inline Verdict judge_index(std::int64_t index, std::string_view list) {
  if (index < count(list)) return Verdict::kHolds;
  const std::string text = std::to_string(index);
  const std::vector<std::string_view> all = entries(list);
  return std::ranges::find(all, text) != all.end() ? Verdict::kBroken : Verdict::kUnknown;
}

inline std::string message() { return "CUDA error: invalid device ordinal"; }
// `setdefault(name, "0", "1")` of Python's os.environ; of the class in os.py.
inline std::string pieces_message(std::size_t pieces) {
  return "setdefault() takes 3 positional arguments but " + std::to_string(pieces + 2) +
         " were given";
}
inline std::string hidden_message() { return "No CUDA GPUs are available"; }

}  // namespace placecheck::rules::visible_devices

#endif  // PLACECHECK_RULES_VISIBLE_DEVICES_H_
