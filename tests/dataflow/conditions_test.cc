// Conditions as terms: what is forgotten, what folds, and what decides what.
#include "analyzer/dataflow/conditions.h"

#include <gtest/gtest.h>

#include "analyzer/dataflow/identity.h"
#include "analyzer/dataflow/scalars.h"
#include "analyzer/dataflow/state.h"

namespace placecheck::dataflow {
namespace {

class ConditionsTest : public testing::Test {
 protected:
  Value n() { return Value::symbol(names_.intern("n#7")); }
  Value compare(std::string_view operation, const Value& a, const Value& b) {
    return evaluate(operation, a, b, names_, 2).value_or(Value::none());
  }
  // What a branch on the comparison of n with a constant does.
  std::optional<bool> outcome(std::string_view operation, int64_t limit) {
    Value asked = compare(operation, n(), Value::integer(limit));
    Condition condition = strip_negations(asked.name, names_);
    std::optional<bool> known = decided(state_, condition.name, names_);
    return known ? std::optional(*known == condition.holds) : std::nullopt;
  }
  void assume(std::string_view operation, int64_t limit, bool holds) {
    Condition condition =
        strip_negations(compare(operation, n(), Value::integer(limit)).name, names_);
    state_.assume(condition.name, condition.holds == holds);
  }

  Names names_;
  State state_;
};

TEST_F(ConditionsTest, EqualOperandsFold) {
  EXPECT_TRUE(same(compare("op.eq", n(), n()), Value::boolean(true)));
  EXPECT_TRUE(same(compare("op.ne", n(), n()), Value::boolean(false)));
  EXPECT_TRUE(same(compare("op.lt", n(), n()), Value::boolean(false)));
  EXPECT_TRUE(same(compare("op.ge", n(), n()), Value::boolean(true)));
  EXPECT_TRUE(same(compare("op.sub", n(), n()), Value::integer(0)));
}

TEST_F(ConditionsTest, WhatPathsHaveJoinedToDoesNotFold) {
  Value joined = Value::symbol(names_.intern(std::string(kJoined) + "3.s1"));
  EXPECT_TRUE(compare("op.eq", joined, joined).is(ValueKind::kSymbol));
}

// Every pair of small constants, against comparisons with all constants near them.
TEST_F(ConditionsTest, AlternativesDecideWhereAllOfThemAgree) {
  const std::string text = std::string(kJoined) + "3.s1";
  const auto decide = [&](const Value& joined, std::string_view operation, int64_t limit) {
    const Value asked = compare(operation, joined, Value::integer(limit));
    const Condition condition = strip_negations(asked.name, names_);
    const std::optional<bool> known = holds_for_all(condition.name, names_);
    EXPECT_EQ(known, decided(state_, condition.name, names_));
    return known ? std::optional(*known == condition.holds) : std::nullopt;
  };
  for (int64_t a = 1; a < 4; ++a) {
    for (int64_t b = 1; b < 4; ++b) {
      const Value joined =
          Value::symbol(joined_symbol(text, Value::integer(a), Value::integer(b), names_));
      for (std::string_view operation : {"op.eq", "op.lt", "op.gt"}) {
        for (int64_t limit = 0; limit < 6; ++limit) {
          const auto holds = [&](int64_t n) {
            return compare(operation, Value::integer(n), Value::integer(limit)).number != 0;
          };
          const std::optional<bool> expected =
              holds(a) == holds(b) ? std::optional(holds(a)) : std::nullopt;
          EXPECT_EQ(decide(joined, operation, limit), expected)
              << operation << ' ' << limit << " of " << a << " and " << b;
        }
      }
    }
  }
}

TEST_F(ConditionsTest, AlternativesOfJoinedTextsAreTheOnlyOnes) {
  const auto text = [&](std::string_view of) { return Value::string(names_.intern(of)); };
  const Value joined =
      Value::symbol(joined_symbol(std::string(kJoined) + "3.s1", text("a"), text("b"), names_));
  const auto outcome_of = [&](std::string_view other) {
    return decided(state_, compare("op.eq", joined, text(other)).name, names_);
  };
  EXPECT_EQ(outcome_of("c"), false);
  EXPECT_EQ(outcome_of("a"), std::nullopt);
}

TEST_F(ConditionsTest, WhatIsJoinedWithAnythingMayBeAnything) {
  const Name joined = joined_symbol(std::string(kJoined) + "3.s1", Value::integer(1), n(), names_);
  EXPECT_TRUE(names_.alternatives(joined).empty());
}

TEST_F(ConditionsTest, NegationsCancel) {
  Value once = compare("op.not", n(), Value::none());
  Value twice = compare("op.not", once, Value::none());
  EXPECT_TRUE(same(twice, n()));
  EXPECT_TRUE(same(compare("op.ge", n(), Value::integer(3)),
                   compare("op.not", compare("op.lt", n(), Value::integer(3)), Value::none())));
}

TEST_F(ConditionsTest, ForgettingASymbolLeavesThoseSpelledAlike) {
  Name other = names_.term("lt", {names_.intern("0"), names_.intern("n#70")});
  Name own = names_.term("lt", {names_.intern("0"), names_.intern("n#7")});
  state_.assume(other, true);
  state_.assume(own, true);
  state_.forget(names_.intern("n#7"), names_);
  EXPECT_EQ(state_.assumed(other), true);
  EXPECT_EQ(state_.assumed(own), std::nullopt);
}

// Every pair of comparisons with small constants, against all small values of n.
TEST_F(ConditionsTest, DecidesAsTheIntegersDo) {
  const std::string_view kComparisons[] = {"op.eq", "op.ne", "op.lt", "op.le", "op.gt", "op.ge"};
  auto holds = [&](std::string_view operation, int64_t value, int64_t limit) {
    return compare(operation, Value::integer(value), Value::integer(limit)).number != 0;
  };
  for (std::string_view first : kComparisons) {
    for (std::string_view second : kComparisons) {
      for (int64_t a = -1; a <= 1; ++a) {
        for (int64_t b = -1; b <= 1; ++b) {
          for (bool assumed : {true, false}) {
            state_ = State();
            assume(first, a, assumed);
            bool can_hold = false, can_fail = false;
            for (int64_t value = -4; value <= 4; ++value) {
              if (holds(first, value, a) != assumed) continue;
              (holds(second, value, b) ? can_hold : can_fail) = true;
            }
            std::optional<bool> expected;
            if (can_hold != can_fail) expected = can_hold;
            EXPECT_EQ(outcome(second, b), expected)
                << first << ' ' << a << " is " << assumed << ", " << second << ' ' << b;
          }
        }
      }
    }
  }
}

TEST_F(ConditionsTest, WhoDecidesWhatWasForgottenIsApproximate) {
  Name condition = names_.intern("use_cuda");
  state_.lose(condition);
  EXPECT_TRUE(state_.is_exact());
  state_.assume(condition, true);
  EXPECT_FALSE(state_.is_exact());
}

TEST_F(ConditionsTest, TheOldestOfTooManyAssumptionsIsForgotten) {
  Name first = names_.intern("first");
  state_.assume(first, true);
  for (int i = 0; i < 64; ++i) state_.assume(names_.intern("c" + std::to_string(i)), true);
  EXPECT_EQ(state_.assumed(first), std::nullopt);
  EXPECT_TRUE(state_.is_exact());
  state_.assume(first, false);
  EXPECT_FALSE(state_.is_exact());
}

TEST_F(ConditionsTest, APathThatARunTakesMakesTheirJoinExact) {
  State exact;
  state_.doubts.give_up();
  EXPECT_TRUE(keep_common_assumptions(state_, exact));
  EXPECT_TRUE(state_.is_exact());
}

TEST_F(ConditionsTest, OneOfBothWaysOfADoubtedDecisionWasRight) {
  Name condition = names_.intern("use_cuda");
  state_.lose(condition);
  State otherwise = state_;
  state_.assume(condition, true);
  otherwise.assume(condition, false);
  EXPECT_FALSE(otherwise.is_exact());
  EXPECT_TRUE(keep_common_assumptions(state_, otherwise));
  EXPECT_TRUE(state_.is_exact());
}

TEST_F(ConditionsTest, AllBranchesOfADoubtedChainTogetherAreExact) {
  Name first = names_.intern("is_conv"), second = names_.intern("is_norm");
  state_.lose(first);
  state_.lose(second);
  State norm = state_, neither = state_;
  state_.assume(first, true);
  norm.assume(first, false);
  norm.assume(second, true);
  neither.assume(first, false);
  neither.assume(second, false);
  keep_common_assumptions(state_, norm);
  EXPECT_FALSE(state_.is_exact());
  EXPECT_TRUE(keep_common_assumptions(state_, neither));
  EXPECT_TRUE(state_.is_exact());
}

TEST_F(ConditionsTest, ADoubtedDecisionOfAnotherIterationProvesNothing) {
  Name condition = names_.intern("is_conv");
  state_.lose(condition);
  State otherwise = state_;
  state_.assume(condition, true);
  state_.forget(condition, names_);
  otherwise.assume(condition, false);
  keep_common_assumptions(state_, otherwise);
  EXPECT_FALSE(state_.is_exact());
}

TEST_F(ConditionsTest, TooManyDoubtedDecisionsAreNeverExact) {
  State others = state_;
  for (int i = 0; i < 20; ++i) {
    Name each = names_.intern("c" + std::to_string(i));
    state_.lose(each);
    others.lose(each);
    state_.assume(each, true);
    others.assume(each, false);
  }
  keep_common_assumptions(state_, others);
  EXPECT_FALSE(state_.is_exact());
}

TEST_F(ConditionsTest, TheSameDoubtedDecisionStaysDoubted) {
  Name condition = names_.intern("use_cuda");
  state_.lose(condition);
  state_.assume(condition, true);
  State same_way = state_;
  EXPECT_FALSE(keep_common_assumptions(state_, same_way));
  EXPECT_FALSE(state_.is_exact());
}

TEST_F(ConditionsTest, AJoinThatForgetsADoubtedDecisionIsApproximate) {
  Name condition = names_.intern("use_cuda");
  state_.lose(condition);
  State undecided = state_;
  undecided.doubts.give_up();
  state_.assume(condition, true);
  keep_common_assumptions(state_, undecided);
  EXPECT_FALSE(state_.is_exact());
}

}  // namespace
}  // namespace placecheck::dataflow
