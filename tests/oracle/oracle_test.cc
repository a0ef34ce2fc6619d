// Random programs: what the checker finds fails in some run, and what it says of places is true in
// every run. //tests/oracle:search looks at as many as one likes.
#include <gtest/gtest.h>

#include "tests/oracle/generator.h"
#include "tests/oracle/judge.h"

namespace placecheck::oracle {
namespace {

TEST(OracleTest, EveryClaimIsBorneOutByRunning) {
  constexpr uint64_t kPrograms = 2'000;
  Totals totals;
  for (uint64_t seed = 0; seed < kPrograms; ++seed) {
    const SourceProgram program = random_program(seed);
    const Judgement judgement = judge(program);
    EXPECT_TRUE(judgement.violations.empty()) << "seed " << seed << '\n'
                                              << report(program, judgement);
    EXPECT_FALSE(judgement.is_too_large) << "seed " << seed;
    totals.add(judgement);
  }
  // The comparison says something.
  EXPECT_GT(totals.exhaustive, kPrograms / 2);
  EXPECT_GT(totals.findings, kPrograms / 4);
  EXPECT_GT(totals.found, totals.failing / 4);
  EXPECT_GT(totals.known_places, kPrograms);
}

}  // namespace
}  // namespace placecheck::oracle
