#include "analyzer/dataflow/state.h"

#include <gtest/gtest.h>

#include "analyzer/dataflow/conditions.h"

namespace placecheck::dataflow {
namespace {

constexpr ObjectId kList = 0;

// A path that has decided `condition`, with a list of what it holds.
State path(Name condition, bool holds, std::vector<Value> elements) {
  State state;
  state.assume(condition, holds);
  Object list;
  list.kind = ObjectKind::kContainer;
  list.elements = std::move(elements);
  state.put(kList, std::move(list));
  return state;
}

TEST(Join, AListThatOnePathFillsKeepsItsElements) {
  Names names;
  const Name moved = names.intern("moved");
  const State joined =
      join(path(moved, true, {}), path(moved, true, {Value::tensor(Place::cuda(0))}), names, 0,
           {.live = {}, .are_unlike = true});
  EXPECT_EQ(joined.object(kList).rest.place, Place::cuda(0));
}

TEST(Join, AListThatOnePathFillsUnderAConditionIsUnknownOnceThatIsForgotten) {
  Names names;
  const Name moved = names.intern("moved");
  const State filled = path(moved, true, {Value::tensor(Place::cuda(0))});
  const State empty = path(moved, false, {});
  for (const State& joined : {join(empty, filled, names, 0, {.live = {}, .are_unlike = true}),
                              join(filled, empty, names, 0, {.live = {}, .are_unlike = true})}) {
    EXPECT_EQ(joined.assumed(moved), std::nullopt);
    EXPECT_TRUE(joined.object(kList).rest.is(ValueKind::kUnknown));
  }
}

TEST(Join, ATruthThatTwoPathsHaveSetOtherwiseIsWhatTheyHaveDecided) {
  Names names;
  const Name condition = names.intern("args.no_cuda");
  for (const bool holds : {true, false}) {
    const State joined = join(path(condition, true, {Value::boolean(holds)}),
                              path(condition, false, {Value::boolean(!holds)}), names, 0);
    const Value& element = joined.object(kList).elements[0];
    ASSERT_TRUE(element.is(ValueKind::kSymbol));
    const Condition asked = strip_negations(element.name, names);
    EXPECT_EQ(asked.name, condition);
    EXPECT_EQ(asked.holds, holds);
  }
}

TEST(Digest, IsEqualForStatesThatNumbersAloneTellApart) {
  Names names;
  const Name condition = names.intern("condition");
  const Value text = Value::string(names.intern("a")), other = Value::string(names.intern("b"));
  const State one = path(condition, true, {Value::integer(1), text});
  const State two = path(condition, true, {Value::integer(2), text});
  const State three = path(condition, true, {Value::integer(1), other});
  ASSERT_TRUE(alike(one, two));
  EXPECT_EQ(digest(one, Likeness::kButForNumbers), digest(two, Likeness::kButForNumbers));
  EXPECT_NE(digest(one, Likeness::kButForNumbers), digest(three, Likeness::kButForNumbers));
  ASSERT_TRUE(agree_on_places(one, three));
  EXPECT_EQ(digest(one, Likeness::kInPlaces), digest(three, Likeness::kInPlaces));
}

TEST(Digest, IsComputedAgainWhereAnObjectHasChanged) {
  Names names;
  const Name condition = names.intern("condition");
  State state = path(condition, true, {Value::tensor(Place::cpu())});
  const uint64_t before = digest(state, Likeness::kInPlaces);
  const State earlier = state;
  state.edit(kList).elements[0] = Value::tensor(Place::cuda(0));
  EXPECT_NE(digest(state, Likeness::kInPlaces), before);
  EXPECT_EQ(digest(earlier, Likeness::kInPlaces), before);
}

TEST(DoubtfulCalls, ReachWhatAllPathsOfACallerComeTo) {
  Names names;
  const Name condition = names.intern("condition");
  Doubts exact, taken, not_taken;
  taken.decide(condition, true);
  not_taken.decide(condition, false);
  constexpr uint64_t kMain = 1, kHelper = 2, kOne = 3, kOther = 4;
  DoubtfulCalls calls;
  calls.note(kMain, /*is_certain=*/true, kOne, taken);
  EXPECT_FALSE(calls.reaches({kOne}));
  calls.note(kMain, /*is_certain=*/true, kHelper, not_taken);
  EXPECT_FALSE(calls.reaches({kOne, kOther}));
  // The helper comes to the other one whatever is decided, and so one of the two is reached.
  calls.note(kHelper, /*is_certain=*/false, kOther, exact);
  EXPECT_TRUE(calls.reaches({kOne, kOther}));
  EXPECT_FALSE(calls.reaches({kOther}));
}

TEST(Doubts, AreComplementaryWhereOnlyBothTogetherAreExact) {
  Names names;
  const Name condition = names.intern("lost");
  Doubts exact, taken, not_taken, never;
  taken.decide(condition, true);
  not_taken.decide(condition, false);
  never.give_up();
  EXPECT_TRUE(Doubts::are_complementary(taken, not_taken));
  EXPECT_FALSE(Doubts::are_complementary(taken, taken));
  EXPECT_FALSE(Doubts::are_complementary(taken, exact));
  EXPECT_FALSE(Doubts::are_complementary(never, not_taken));
}

TEST(LiveSymbols, ConditionsOnResultsThatNobodyHoldsAreNotKept) {
  Names names;
  const Name given = names.intern("count");
  const Name held = names.intern("<17>");
  const Name lost = names.intern("<18>");
  State state;
  state.slots.assign(1, Value::symbol(held));
  LiveSymbols live(names, {});
  EXPECT_TRUE(live.may_be_decided(names.term("lt", {names.intern("0"), held}), state));
  EXPECT_FALSE(live.may_be_decided(names.term("lt", {names.intern("0"), lost}), state));
  EXPECT_TRUE(live.may_be_decided(names.term("lt", {lost, given}), state));
  const std::vector<Name> visible{lost};
  LiveSymbols of_caller(names, visible);
  EXPECT_TRUE(of_caller.may_be_decided(names.term("lt", {names.intern("0"), lost}), state));
}

TEST(LiveSymbols, ThePlaceOfAModulesCellIsNoSymbol) {
  Names names;
  const Name lost = names.intern("<18>");
  State state;
  state.slots.assign(1, Value::tensor(Place::cell(1 << 20)));
  LiveSymbols live(names, {});
  EXPECT_FALSE(live.may_be_decided(lost, state));
}

}  // namespace
}  // namespace placecheck::dataflow
