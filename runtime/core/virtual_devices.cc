#include "runtime/core/virtual_devices.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <vector>

#include "runtime/core/visible_devices.h"

namespace placecheck::runtime {
namespace {

constexpr int kUsualCount = 2;

int physical_count(const std::function<void(const std::string&)>& complain) {
  const char* text = std::getenv("PLACECHECK_VIRTUAL_DEVICES");
  if (text == nullptr || *text == '\0') return kUsualCount;
  const char* end = text + std::strlen(text);
  std::uint64_t count = 0;
  const auto [rest, error] = std::from_chars(text, end, count);
  if (rest == end && error != std::errc::invalid_argument) {
    if (error == std::errc::result_out_of_range) return kMostVirtualDevices;
    return static_cast<int>(std::min<std::uint64_t>(count, kMostVirtualDevices));
  }
  complain("PLACECHECK_VIRTUAL_DEVICES must be a number, but is '" + std::string(text) +
           "'; using " + std::to_string(kUsualCount));
  return kUsualCount;
}

// How many bytes a unit has: "", "B", "KiB", "k", "MB" and so on, in any case; 0 for others.
double unit_of(std::string text) {
  for (char& letter : text) letter = static_cast<char>(std::tolower(letter));
  if (text.empty() || text == "b") return 1;
  constexpr std::string_view kPrefixes = "kmgt";
  const std::size_t power = kPrefixes.find(text.front());
  if (power == std::string_view::npos) return 0;
  const std::string rest = text.substr(1);
  if (rest != "" && rest != "b" && rest != "i" && rest != "ib") return 0;
  return std::pow(rest == "b" ? 1000.0 : 1024.0, static_cast<double>(power + 1));
}

}  // namespace

std::optional<std::size_t> parse_bytes(std::string_view text) {
  double number = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  const char* unit = rest;
  while (unit != text.data() + text.size() && *unit == ' ') ++unit;
  const double bytes = number * unit_of(std::string(unit, text.data() + text.size()));
  constexpr double kMost = 0x1p62;
  if (!(bytes >= 1) || bytes > kMost) return std::nullopt;
  return static_cast<std::size_t>(bytes);
}

std::size_t virtual_memory_bytes(const std::function<void(const std::string&)>& complain) {
  const char* text = std::getenv("PLACECHECK_VIRTUAL_MEMORY");
  if (text == nullptr || *text == '\0') return kUsualVirtualMemory;
  if (const auto bytes = parse_bytes(text)) return *bytes;
  complain("PLACECHECK_VIRTUAL_MEMORY must be a size like 16GiB, but is '" + std::string(text) +
           "'; using 16GiB");
  return kUsualVirtualMemory;
}

int count_visible_virtual_devices(const std::function<void(const std::string&)>& complain) {
  std::vector<PhysicalDevice> physical(static_cast<std::size_t>(physical_count(complain)));
  for (std::size_t i = 0; i < physical.size(); ++i) {
    physical[i] = {"GPU-" + std::to_string(i), 0, static_cast<std::int64_t>(i)};
  }
  return static_cast<int>(visible_devices(physical, std::getenv("CUDA_VISIBLE_DEVICES"),
                                          std::getenv("CUDA_DEVICE_ORDER"))
                              .size());
}

}  // namespace placecheck::runtime
