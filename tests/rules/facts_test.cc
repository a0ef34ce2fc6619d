#include "rules/facts.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/rules/world.h"

namespace placecheck::rules {
namespace {

// What all meanings of two facts agree on; kUnknown where they do not.
Verdict same_in_every_meaning(DeviceFact a, DeviceFact b) {
  bool same = false;
  bool different = false;
  for_each_meaning(a, b, [&](int x, int y) { (x == y ? same : different) = true; });
  if (same && different) return Verdict::kUnknown;
  return same ? Verdict::kHolds : Verdict::kBroken;
}

// Sound and as sharp as the facts allow, over the whole small world.
TEST(SamePlace, AgreesWithEveryMeaning) {
  for (DeviceFact a : all_device_facts()) {
    for (DeviceFact b : all_device_facts()) {
      EXPECT_EQ(same_place(a, b), same_in_every_meaning(a, b))
          << run_time_text(a) << '/' << static_cast<int>(a.kind()) << " and " << run_time_text(b)
          << '/' << static_cast<int>(b.kind());
    }
  }
}

TEST(SamePlace, IsSymmetric) {
  for (DeviceFact a : all_device_facts()) {
    for (DeviceFact b : all_device_facts()) EXPECT_EQ(same_place(a, b), same_place(b, a));
  }
}

TEST(DeviceFact, ChosenDevicesAreAccelerators) {
  static_assert(DeviceFact::symbolic(3).is_accelerator());
  static_assert(DeviceFact::cuda_any_index().is_accelerator());
  static_assert(!DeviceFact::cpu().is_accelerator());
  static_assert(!DeviceFact::unknown().is_accelerator());
  static_assert(!DeviceFact::unknown().is_known());
  EXPECT_NE(DeviceFact::symbolic(0), DeviceFact::cuda(0));
  EXPECT_NE(DeviceFact::symbolic(0), DeviceFact::symbolic(1));
}

TEST(DeviceFact, PrintsAsPyTorchDoes) {
  EXPECT_EQ(run_time_text(DeviceFact::cpu()), "cpu");
  EXPECT_EQ(run_time_text(DeviceFact::cuda(3)), "cuda:3");
  EXPECT_EQ(run_time_text(DeviceFact::cuda_any_index()), "cuda:0");
  EXPECT_EQ(run_time_text(DeviceFact::last_cuda()), "cuda:1");
  EXPECT_EQ(run_time_text(DeviceFact::symbolic(7)), "cuda:0");
  EXPECT_EQ(run_time_text(DeviceFact::unknown()), "unknown");
}

TEST(Verdict, CombinesLikeThreeValuedLogic) {
  constexpr Verdict kAll[] = {Verdict::kBroken, Verdict::kUnknown, Verdict::kHolds};
  for (int a = 0; a < 3; ++a) {
    for (int b = 0; b < 3; ++b) {
      EXPECT_EQ(all_of(kAll[a], kAll[b]), kAll[std::min(a, b)]);
      EXPECT_EQ(any_of(kAll[a], kAll[b]), kAll[std::max(a, b)]);
    }
  }
}

TEST(SamePrefix, ComparesDepthsWhereBothAreKnown) {
  const PrefixFact facts[] = {PrefixFact::unknown(), PrefixFact::bare(), PrefixFact::wrapped(),
                              PrefixFact::wrapped(2)};
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) {
      const Verdict expected = i == 0 || j == 0 ? Verdict::kUnknown
                               : i == j         ? Verdict::kHolds
                                                : Verdict::kBroken;
      EXPECT_EQ(same_prefix(facts[i], facts[j]), expected) << i << ' ' << j;
    }
  }
}

}  // namespace
}  // namespace placecheck::rules
