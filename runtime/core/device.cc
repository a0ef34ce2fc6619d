#include "runtime/core/device.h"

#include <charconv>
#include <ostream>
#include <string_view>

#include "rules/invalid_device.h"
#include "runtime/core/check.h"

namespace placecheck::runtime {
namespace {

// The types there are here; PyTorch's parser knows more.
constexpr std::string_view kTypeNames[] = {"cpu", "cuda"};

DeviceType parse_type(std::string_view name) {
  if (name == kTypeNames[0]) return kCPU;
  check(name == kTypeNames[1], "PyTorch is not linked with support for ", name, " devices");
  return kCUDA;
}

Device parse(std::string_view text) {
  namespace rule = rules::invalid_device;
  const rule::DeviceText kind = rule::parse(text);
  // No backend from outside is ever loaded here.
  if (rule::judge(kind) == rules::Verdict::kBroken || kind == rule::DeviceText::kForeign) {
    throw RuleError(rule::kRule, rule::message(text));
  }
  const std::size_t colon = text.find(':');
  const DeviceType type = parse_type(text.substr(0, colon));
  if (colon == std::string_view::npos) return {type};
  DeviceIndex index = 0;
  std::from_chars(text.data() + colon + 1, text.data() + text.size(), index);
  return {type, index};
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
