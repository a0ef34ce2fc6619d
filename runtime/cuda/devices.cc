#include "runtime/cuda/devices.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "runtime/core/visible_devices.h"

namespace placecheck::cuda {
namespace {

constexpr std::int64_t kUsualCount = 2;
constexpr std::int64_t kMostDevices = 64;

std::int64_t physical_devices() {
  const char* text = std::getenv("PLACECHECK_VIRTUAL_DEVICES");
  if (text == nullptr || *text == '\0') return kUsualCount;
  char* end = nullptr;
  const std::int64_t count = std::strtoll(text, &end, 10);
  if (*end == '\0' && count >= 0) return std::min(count, kMostDevices);
  std::cerr << "placecheck: PLACECHECK_VIRTUAL_DEVICES must be a number, but is '" << text
            << "'; using " << kUsualCount << '\n';
  return kUsualCount;
}

int count_visible_devices() {
  std::vector<runtime::PhysicalDevice> physical(static_cast<std::size_t>(physical_devices()));
  for (std::size_t i = 0; i < physical.size(); ++i) {
    physical[i] = {"GPU-" + std::to_string(i), 0, static_cast<std::int64_t>(i)};
  }
  return static_cast<int>(runtime::visible_devices(physical, std::getenv("CUDA_VISIBLE_DEVICES"),
                                                   std::getenv("CUDA_DEVICE_ORDER"))
                              .size());
}

thread_local int current = 0;

struct Reach {
  std::mutex mutex;
  std::set<std::pair<int, int>> enabled;
};

// Never destroyed: static objects of the program give memory back late.
Reach& the_reach() {
  static auto* reach = new Reach;
  return *reach;
}

}  // namespace

int device_count() {
  static const int kCount = count_visible_devices();
  return kCount;
}

bool is_device(int device) { return device >= 0 && device < device_count(); }

int current_device() { return current; }

void select_device(int device) { current = device; }

bool reaches(int device, int other) {
  if (device == other) return true;
  Reach& reach = the_reach();
  std::lock_guard<std::mutex> lock(reach.mutex);
  return reach.enabled.contains({device, other});
}

bool set_reach(int device, int other, bool is_enabled) {
  Reach& reach = the_reach();
  std::lock_guard<std::mutex> lock(reach.mutex);
  if (is_enabled) return reach.enabled.emplace(device, other).second;
  return reach.enabled.erase({device, other}) > 0;
}

}  // namespace placecheck::cuda
