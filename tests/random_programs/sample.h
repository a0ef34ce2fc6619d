// The programs that the test is about; they are compiled when it is built.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tests/random_programs/program.h"

namespace placecheck::random_programs {

inline constexpr std::uint64_t kSampleSeed = 144;
inline constexpr std::size_t kSampleBatches = 2;  // two sources are compiled at a time
inline constexpr std::size_t kProgramsOfBatch = 50;

// Those of one batch.
inline std::vector<Program> sample(std::size_t batch) {
  const auto all = generate_all(kSampleSeed, kSampleBatches * kProgramsOfBatch);
  const auto first = all.begin() + static_cast<std::ptrdiff_t>(batch * kProgramsOfBatch);
  return {first, first + static_cast<std::ptrdiff_t>(kProgramsOfBatch)};
}

}  // namespace placecheck::random_programs
