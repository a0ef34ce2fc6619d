#include "runtime/backend/generator.h"

#include <map>
#include <mutex>

namespace placecheck::runtime {
namespace {

struct State {
  std::uint64_t seed = kDefaultSeed;
  std::uint64_t used = 0;
};

struct Generators {
  std::mutex mutex;
  State cpu;
  std::uint64_t cuda_seed = kDefaultSeed;  // of devices that were not used yet
  std::map<DeviceIndex, State> cuda;

  State& of(const Device& device) {
    if (device.is_cpu()) return cpu;
    return cuda.try_emplace(device.index(), State{cuda_seed, 0}).first->second;
  }
  void seed_cuda(std::uint64_t seed) {
    cuda_seed = seed;
    cuda.clear();
  }
};

Generators& generators() {
  static auto* const kGenerators = new Generators;
  return *kGenerators;
}

}  // namespace

RandomRange take_random(const Device& device, std::int64_t count) {
  std::lock_guard lock(generators().mutex);
  State& state = generators().of(device);
  RandomRange range{state.seed, state.used};
  state.used += static_cast<std::uint64_t>(count);
  return range;
}

void seed_generator(const Device& device, std::uint64_t seed) {
  std::lock_guard lock(generators().mutex);
  generators().of(device) = {seed, 0};
}

std::uint64_t seed_of(const Device& device) {
  std::lock_guard lock(generators().mutex);
  return generators().of(device).seed;
}

void manual_seed(std::uint64_t seed) {
  std::lock_guard lock(generators().mutex);
  generators().cpu = {seed, 0};
  generators().seed_cuda(seed);
}

void seed_all_cuda(std::uint64_t seed) {
  std::lock_guard lock(generators().mutex);
  generators().seed_cuda(seed);
}

}  // namespace placecheck::runtime
