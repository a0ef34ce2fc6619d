#include "runtime/core/virtual_devices.h"

#include <algorithm>
#include <charconv>
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

}  // namespace

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
