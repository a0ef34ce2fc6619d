// invalid-device: a device string that does not parse, or an index beyond the devices that exist.
// Constants and pure functions; any thread may call them.
#ifndef PLACECHECK_RULES_INVALID_DEVICE_H_
#define PLACECHECK_RULES_INVALID_DEVICE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "rules/rule.h"
#include "rules/verdict.h"

namespace placecheck::rules::invalid_device {

inline constexpr Rule kRule{
    .id = "invalid-device",
    .summary = "a device string that does not parse, or an index beyond the devices that exist",
    .category = Category::kPlacement,
    .severity = Severity::kError,
    .languages = {.cpp = true, .cuda = true, .python = true},
    .witnesses = {.analyzer = true, .runtime = true},
    .predicted_error = "Invalid device string: '{}'",
};

// The names of this and of earlier releases; the last row are backends from outside the tree, which
// are valid where their library is loaded.
inline constexpr std::string_view kTypes[] = {
    "cpu", "cuda", "ipu",  "xpu",   "mkldnn", "opengl",        "opencl", "ideep",
    "hip", "ve",   "fpga", "ort",   "maia",   "xla",           "lazy",   "vulkan",
    "mps", "meta", "hpu",  "msnpu", "mtia",   "privateuseone",
};
inline constexpr std::string_view kForeignTypes[] = {
    "npu", "mlu", "musa", "gcu", "sdaa", "dml", "dipu", "openreg", "tpu",
};

enum class DeviceText : std::uint8_t {
  kLawful,
  kForeign,  // lawful where a backend of that name is registered
  kEmpty,
  kMalformed,
  kIndexTooLarge,
  kUnknownType,
};

constexpr bool is_type_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

// `type[:index]`; an index has no leading zeros.
constexpr bool is_well_formed(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string_view type = text.substr(0, colon);
  if (type.empty() || !std::ranges::all_of(type, is_type_letter)) return false;
  if (colon == std::string_view::npos) return true;
  const std::string_view index = text.substr(colon + 1);
  if (index.empty() || !std::ranges::all_of(index, is_digit)) return false;
  return index.size() == 1 || index.front() != '0';
}

// More than an int holds.
constexpr bool is_too_large(std::string_view digits) {
  constexpr std::string_view kLargest = "2147483647";
  if (digits.size() != kLargest.size()) return digits.size() > kLargest.size();
  return digits > kLargest;
}

constexpr DeviceText parse(std::string_view text) {
  if (text.empty()) return DeviceText::kEmpty;
  if (!is_well_formed(text)) return DeviceText::kMalformed;
  const std::size_t colon = text.find(':');
  if (colon != std::string_view::npos && is_too_large(text.substr(colon + 1))) {
    return DeviceText::kIndexTooLarge;
  }
  const std::string_view type = text.substr(0, colon);
  if (std::ranges::find(kTypes, type) != std::end(kTypes)) return DeviceText::kLawful;
  const bool foreign = std::ranges::find(kForeignTypes, type) != std::end(kForeignTypes);
  return foreign ? DeviceText::kForeign : DeviceText::kUnknownType;
}

constexpr Verdict judge(DeviceText text) {
  if (text == DeviceText::kLawful) return Verdict::kHolds;
  return text == DeviceText::kForeign ? Verdict::kUnknown : Verdict::kBroken;
}

constexpr Verdict judge(std::string_view text) { return judge(parse(text)); }

// A text of which only the beginning is known: broken if no end makes it lawful.
constexpr Verdict judge_beginning(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) {
    return std::ranges::all_of(text, is_type_letter) ? Verdict::kUnknown : Verdict::kBroken;
  }
  const std::string_view digits = text.substr(colon + 1);
  const bool may_go_on =
      std::ranges::all_of(digits, is_digit) && !(digits.size() > 1 && digits.front() == '0');
  if (!may_go_on) return Verdict::kBroken;
  const Verdict type = judge(text.substr(0, colon));
  return type == Verdict::kHolds ? Verdict::kUnknown : type;
}

// An index against the number of devices; -1 means the current device where a device is named, and
// nothing where one is selected.
constexpr Verdict judge_index(std::int64_t index, std::int64_t devices) {
  return index >= 0 && index < devices ? Verdict::kHolds : Verdict::kBroken;
}

// What the constructor of a device says; the list of types is that of current releases (older ones
// name `ort` where these have `maia`, and lack `mtia`).
inline std::string message(std::string_view text) {
  const std::string quoted = "'" + std::string(text) + "'";
  const std::string_view type = text.substr(0, text.find(':'));
  switch (parse(text)) {
    case DeviceText::kEmpty:
      return "Device string must not be empty";
    case DeviceText::kIndexTooLarge:
      return "Could not parse device index '" + std::string(text.substr(type.size() + 1)) +
             "' in device string " + quoted;
    case DeviceText::kForeign:  // where its backend is not registered
    case DeviceText::kUnknownType:
      return "Expected one of cpu, cuda, ipu, xpu, mkldnn, opengl, opencl, ideep, hip, ve, fpga, "
             "maia, xla, lazy, vulkan, mps, meta, hpu, mtia, privateuseone device type at start of "
             "device string: " +
             std::string(type);
    default:
      return "Invalid device string: " + quoted;
  }
}

// torch.load calls a location that is no device, text or table.
inline constexpr std::string_view kNumberAsLocation = "'int' object is not callable";

// torch.autocast takes the type of a device, as a text.
inline constexpr std::string_view kDeviceAsType =
    "Expected `device_type` of type `str`, got: `<class 'torch.device'>`";

inline std::string index_message() { return "CUDA error: invalid device ordinal"; }

}  // namespace placecheck::rules::invalid_device

#endif  // PLACECHECK_RULES_INVALID_DEVICE_H_
