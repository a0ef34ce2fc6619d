#include "runtime/core/device.h"

#include <algorithm>
#include <array>
#include <limits>
#include <ostream>
#include <string_view>

#include "runtime/core/check.h"

namespace placecheck::runtime {
namespace {

// The types that PyTorch's parser knows, in the order in which its error lists them.
constexpr std::array<std::string_view, 20> kTypeNames = {
    "cpu",  "cuda", "ipu", "xpu",  "mkldnn", "opengl", "opencl", "ideep", "hip",  "ve",
    "fpga", "maia", "xla", "lazy", "vulkan", "mps",    "meta",   "hpu",   "mtia", "privateuseone"};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// A name, and behind a colon digits without a leading zero.
bool is_well_formed(std::string_view name, bool has_colon, std::string_view index) {
  if (name.empty() || !std::all_of(name.begin(), name.end(), is_letter)) return false;
  if (!has_colon) return true;
  if (index.empty() || !std::all_of(index.begin(), index.end(), is_digit)) return false;
  return index.size() == 1 || index.front() != '0';
}

std::string joined_type_names() {
  std::string names;
  for (std::string_view name : kTypeNames) {
    if (!names.empty()) names += ", ";
    names += name;
  }
  return names;
}

DeviceType parse_type(const std::string& name) {
  if (name == "cpu") return kCPU;
  if (name == "cuda") return kCUDA;
  bool is_known = std::find(kTypeNames.begin(), kTypeNames.end(), name) != kTypeNames.end();
  check(is_known, "Expected one of ", joined_type_names(),
        " device type at start of device string: ", name);
  throw Error("PyTorch is not linked with support for " + name + " devices");
}

DeviceIndex parse_index(std::string_view index, const std::string& text) {
  std::int64_t value = 0;
  for (char digit : index) {
    value = value * 10 + (digit - '0');
    check(value <= std::numeric_limits<DeviceIndex>::max(), "Could not parse device index '", index,
          "' in device string '", text, "'");
  }
  return static_cast<DeviceIndex>(value);
}

Device parse(const std::string& text) {
  check(!text.empty(), "Device string must not be empty");
  std::size_t colon = text.find(':');
  bool has_colon = colon != std::string::npos;
  std::string name = text.substr(0, colon);
  std::string_view index = has_colon ? std::string_view(text).substr(colon + 1) : "";
  check(is_well_formed(name, has_colon, index), "Invalid device string: '", text, "'");
  DeviceType type = parse_type(name);
  return has_colon ? Device(type, parse_index(index, text)) : Device(type);
}

}  // namespace

Device::Device(const std::string& text) : Device(parse(text)) {}

std::string Device::str() const {
  std::string name(kTypeNames[static_cast<std::size_t>(type_)]);
  return has_index() ? name + ":" + std::to_string(index_) : name;
}

std::ostream& operator<<(std::ostream& out, const Device& device) { return out << device.str(); }

rules::DeviceFact to_fact(const Device& device) {
  if (device.is_cpu()) return rules::DeviceFact::cpu();
  if (!device.has_index()) return rules::DeviceFact::cuda_any_index();
  return rules::DeviceFact::cuda(static_cast<std::uint32_t>(device.index()));
}

}  // namespace placecheck::runtime
