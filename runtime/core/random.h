// Random bits without state beyond a counter: the same on host and device, in any order.
#ifndef PLACECHECK_RUNTIME_CORE_RANDOM_H_
#define PLACECHECK_RUNTIME_CORE_RANDOM_H_

#include <cstdint>

#include "runtime/core/host_device.h"

namespace placecheck::runtime {

// SplitMix64's output function: well mixed bits of a counter.
PLACECHECK_HD constexpr std::uint64_t mix_bits(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15ULL;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ULL;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebULL;
  return value ^ (value >> 31);
}

constexpr std::uint64_t next_random(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15ULL;
  return mix_bits(state);
}

// The index-th number of a stream, in [0, 1).
PLACECHECK_HD constexpr double uniform_at(std::uint64_t seed, std::uint64_t index) {
  std::uint64_t bits = mix_bits(mix_bits(seed) ^ (index * 0xd1342543de82ef95ULL));
  return static_cast<double>(bits >> 11) * 0x1.0p-53;
}

}  // namespace placecheck::runtime

#endif  // PLACECHECK_RUNTIME_CORE_RANDOM_H_
