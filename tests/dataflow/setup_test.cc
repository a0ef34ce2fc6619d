// What a program decides about its devices belongs to a state: it is compared, joined and part of a
// call's entry.
#include <gtest/gtest.h>

#include "analyzer/dataflow/entry.h"
#include "analyzer/dataflow/state.h"

namespace placecheck::dataflow {
namespace {

using List = DeviceSetup::List;
using Start = DeviceSetup::Start;

State with(Start start, List list, Name visible) {
  State state;
  state.setup.start = start;
  state.setup.list = list;
  state.setup.visible = visible;
  return state;
}

TEST(SetupTest, IsComparedWithoutWhereItWasLearnt) {
  State a = with(Start::kYes, List::kSet, 1);
  State b = a;
  b.setup.started_at = 7;
  b.setup.listed_at = 8;
  EXPECT_TRUE(same(a, b));
  EXPECT_FALSE(same(a, with(Start::kNo, List::kSet, 1)));
  EXPECT_FALSE(same(a, with(Start::kYes, List::kSet, 2)));
  EXPECT_FALSE(alike(a, with(Start::kYes, List::kNotSet, 0)));
}

TEST(SetupTest, WhatDiffersIsUnknownAfterwards) {
  Names names;
  State joined = join(with(Start::kYes, List::kSet, 1), with(Start::kNo, List::kSet, 1), names, 0);
  EXPECT_EQ(joined.setup.start, Start::kUnknown);
  EXPECT_EQ(joined.setup.list, List::kSet);
  joined = join(with(Start::kNo, List::kSet, 1), with(Start::kNo, List::kSet, 2), names, 0);
  EXPECT_EQ(joined.setup.start, Start::kNo);
  EXPECT_EQ(joined.setup.list, List::kUnknown);
  EXPECT_EQ(joined.setup.visible, 0u);
}

TEST(SetupTest, CrossesACallBothWays) {
  Names names;
  auto all = [](Name) { return true; };
  State caller = with(Start::kNo, List::kSet, 1);
  Entry entry = make_entry(caller, {}, names, all, /*sees_aliases=*/false);
  Entry other =
      make_entry(with(Start::kYes, List::kSet, 1), {}, names, all, /*sees_aliases=*/false);
  EXPECT_TRUE(entry.state.setup == caller.setup);
  EXPECT_FALSE(same(entry, other));
  EXPECT_NE(hash(entry), hash(other));
  State exit = entry.state;
  exit.setup.start = Start::kYes;
  apply_exit(caller, entry, exit, Value::none(), {}, names, [](uint32_t k) { return k; });
  EXPECT_EQ(caller.setup.start, Start::kYes);
}

}  // namespace
}  // namespace placecheck::dataflow
