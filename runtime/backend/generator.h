// Random numbers: one generator a device, a seed and how far it has been used. Threads: any.
#ifndef PLACECHECK_RUNTIME_BACKEND_GENERATOR_H_
#define PLACECHECK_RUNTIME_BACKEND_GENERATOR_H_

#include <cstdint>

#include "runtime/core/device.h"

namespace placecheck::runtime {

inline constexpr std::uint64_t kDefaultSeed = 67280421310721;

// A stretch of numbers that nobody else gets.
struct RandomRange {
  std::uint64_t seed;
  std::uint64_t first;
};

RandomRange take_random(const Device& device, std::int64_t count);

void seed_generator(const Device& device, std::uint64_t seed);
std::uint64_t seed_of(const Device& device);

// Seeds the CPU and every CUDA device, those not used yet included.
void manual_seed(std::uint64_t seed);

// Every CUDA device, those not used yet included.
void seed_all_cuda(std::uint64_t seed);

}  // namespace placecheck::runtime

#endif  // PLACECHECK_RUNTIME_BACKEND_GENERATOR_H_
