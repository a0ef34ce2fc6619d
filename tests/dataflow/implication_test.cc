#include "analyzer/dataflow/implication.h"

#include <gtest/gtest.h>

#include "analyzer/dataflow/state.h"

namespace placecheck::dataflow {
namespace {

constexpr Name kFast = 1;
constexpr Name kPeers = 2;
constexpr Name kOther = 3;

State path(std::initializer_list<std::pair<Name, bool>> assumptions) {
  State state;
  for (const auto& [condition, holds] : assumptions) state.assume(condition, holds);
  return state;
}

TEST(Implication, OneOfTwoPathsWasTaken) {
  State kept = path({{kFast, false}});
  EXPECT_TRUE(keep_common_assumptions(kept, path({{kFast, true}, {kPeers, false}})));
  EXPECT_EQ(kept.assumed(kFast), std::nullopt);

  State both = kept;
  both.assume(kPeers, true);
  EXPECT_EQ(both.assumed(kFast), false);
  State fast = kept;
  fast.assume(kFast, true);
  EXPECT_EQ(fast.assumed(kPeers), false);
  State neither = kept;
  neither.assume(kFast, false);
  EXPECT_EQ(neither.assumed(kPeers), std::nullopt);
}

TEST(Implication, EndsWhereAThirdPathContradictsIt) {
  State kept = path({{kFast, false}});
  keep_common_assumptions(kept, path({{kFast, true}, {kPeers, false}}));
  keep_common_assumptions(kept, path({{kFast, true}, {kPeers, true}}));
  kept.assume(kFast, true);
  EXPECT_EQ(kept.assumed(kPeers), std::nullopt);
}

TEST(Implication, WhatBothAssumedRemains) {
  State kept = path({{kOther, true}, {kFast, false}});
  keep_common_assumptions(kept, path({{kOther, true}, {kPeers, false}}));
  EXPECT_EQ(kept.assumed(kOther), true);
  kept.assume(kFast, true);
  EXPECT_EQ(kept.assumed(kPeers), false);
}

// The list of assumptions is bounded; what follows from one must not push that one out.
TEST(Implication, AFullListEndsTheConsequences) {
  State state;
  for (Name condition = 10; condition < 200; ++condition) state.assume(condition, true);
  state.implications = {{kFast, true, kPeers, true}, {kPeers, true, kFast, true}};
  state.assume(kFast, true);
  EXPECT_EQ(state.assumed(kFast), true);
}

}  // namespace
}  // namespace placecheck::dataflow
