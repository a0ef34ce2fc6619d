#include "runtime/core/visible_devices.h"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <optional>

namespace placecheck::runtime {
namespace {

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> parts;
  while (true) {
    std::size_t comma = text.find(',');
    parts.emplace_back(text.substr(0, comma));
    if (comma == std::string_view::npos) return parts;
    text.remove_prefix(comma + 1);
  }
}

std::string trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) {
    text.remove_prefix(1);
  }
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) {
    text.remove_suffix(1);
  }
  return std::string(text);
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The integer that `text` begins with; what begins with none is -1.
std::int64_t leading_integer(const std::string& text) {
  std::size_t at = !text.empty() && (text[0] == '-' || text[0] == '+') ? 1 : 0;
  if (at >= text.size() || !is_digit(text[at])) return -1;
  std::int64_t value = 0;
  for (; at < text.size() && is_digit(text[at]) && value < (1LL << 40); ++at) {
    value = value * 10 + (text[at] - '0');
  }
  return text[0] == '-' ? -value : value;
}

// The one device whose UUID begins so, or none.
std::optional<std::size_t> find_uuid(const std::vector<PhysicalDevice>& devices,
                                     const std::string& prefix) {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    if (!devices[i].uuid.starts_with(prefix)) continue;
    if (found) return std::nullopt;
    found = i;
  }
  return found;
}

std::vector<std::size_t> visible_by_uuid(const std::vector<PhysicalDevice>& devices,
                                         std::string_view text) {
  std::vector<std::size_t> result;
  for (const std::string& part : split(text)) {
    std::string uuid = trimmed(part);
    if (!uuid.starts_with("GPU-")) break;
    std::optional<std::size_t> device = find_uuid(devices, uuid);
    if (!device) break;
    if (std::find(result.begin(), result.end(), *device) != result.end()) return {};
    result.push_back(*device);
  }
  return result;
}

}  // namespace

std::vector<std::int64_t> parse_visible_numbers(std::string_view text) {
  std::vector<std::int64_t> numbers;
  for (const std::string& part : split(text)) {
    std::int64_t number = leading_integer(trimmed(part));
    if (number < 0) break;
    if (std::find(numbers.begin(), numbers.end(), number) != numbers.end()) return {};
    numbers.push_back(number);
  }
  return numbers;
}

std::vector<std::size_t> device_order(const std::vector<PhysicalDevice>& devices,
                                      const char* order_variable) {
  std::vector<std::size_t> order(devices.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  bool by_bus = order_variable != nullptr && std::string_view(order_variable) == "PCI_BUS_ID";
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return by_bus ? devices[a].pci_bus < devices[b].pci_bus : devices[a].speed > devices[b].speed;
  });
  return order;
}

std::vector<std::size_t> visible_devices(const std::vector<PhysicalDevice>& devices,
                                         const char* visible_variable, const char* order_variable) {
  std::vector<std::size_t> order = device_order(devices, order_variable);
  if (visible_variable == nullptr) return order;
  std::string text = trimmed(visible_variable);
  if (text.starts_with("GPU-")) return visible_by_uuid(devices, text);
  std::vector<std::size_t> result;
  for (std::int64_t number : parse_visible_numbers(text)) {
    if (number >= static_cast<std::int64_t>(order.size())) break;
    result.push_back(order[static_cast<std::size_t>(number)]);
  }
  return result;
}

std::string order_by_free_memory(const std::vector<std::int64_t>& free_memory) {
  std::vector<std::size_t> order(free_memory.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return free_memory[a] < free_memory[b]; });
  std::reverse(order.begin(), order.end());
  std::string text;
  for (std::size_t device : order) {
    if (!text.empty()) text += ',';
    text += std::to_string(device);
  }
  return text;
}

}  // namespace placecheck::runtime
