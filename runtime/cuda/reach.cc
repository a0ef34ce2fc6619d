// Which devices reach each other's memory, whoever serves CUDA.
#include <mutex>
#include <set>
#include <utility>

#include "runtime/cuda/devices.h"

namespace placecheck::cuda {
namespace {

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

bool reaches(int device, int other) {
  if (device == other) return true;
  Reach& reach = the_reach();
  const std::lock_guard<std::mutex> lock(reach.mutex);
  return reach.enabled.contains({device, other});
}

bool set_reach(int device, int other, bool is_enabled) {
  Reach& reach = the_reach();
  const std::lock_guard<std::mutex> lock(reach.mutex);
  if (is_enabled) return reach.enabled.emplace(device, other).second;
  return reach.enabled.erase({device, other}) > 0;
}

}  // namespace placecheck::cuda
