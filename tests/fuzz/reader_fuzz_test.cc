// A fuzz target over good inputs of one small reader and thousands of their mutants, the same ones
// in every run.
#include <gtest/gtest.h>

#include "tests/fuzz/entry.h"
#include "tests/fuzz/mutator.h"
#include "tests/fuzz/reader.h"

namespace placecheck::fuzz {
namespace {

constexpr int kMutants = 4000;

TEST(ReaderFuzz, TheSeedIsGood) { EXPECT_EQ(check(reader().seed), ""); }

TEST(ReaderFuzz, Mutants) {
  const Reader& target = reader();
  Mutator mutator(2026, target.words);
  for (int round = 0; round < kMutants; ++round) {
    std::string mutant = mutator.mutant(target.seed);
    ASSERT_EQ(check(mutant), "") << mutant;
  }
}

TEST(ReaderFuzz, EveryBeginning) {
  const std::string& seed = reader().seed;
  for (size_t length = 0; length < seed.size(); ++length)
    ASSERT_EQ(check(seed.substr(0, length)), "") << seed.substr(0, length);
}

TEST(ReaderFuzz, ShortNoise) {
  Mutator mutator(7, reader().words);
  for (int round = 0; round < kMutants; ++round) {
    std::string text = mutator.noise(16);
    ASSERT_EQ(check(text), "") << text;
  }
}

}  // namespace
}  // namespace placecheck::fuzz
