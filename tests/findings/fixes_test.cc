#include "analyzer/findings/fixes.h"

#include <gtest/gtest.h>

#include "tests/findings/sample.h"

namespace placecheck::findings {
namespace {

Finding edit(unsigned begin, unsigned end, const std::string& text,
             const std::string& rule = "discarded-transfer") {
  Finding finding{.rule = rule, .range = {"/p/a.cc", 1, begin}, .message = "m"};
  finding.fix_its = {{{"/p/a.cc", 1, begin, 1, end}, text}};
  return finding;
}

FixPlan plan_of(const Report& report, FixScope scope = FixScope::kSafe) {
  SourceCache sources;
  sources.add("/p/a.cc", "abcdef\n");
  return plan_fixes(
      report, scope, [](const std::string& file) { return file == "/p/a.cc"; }, sources);
}

Report report_of(std::vector<Finding> findings) {
  Report report;
  report.findings = std::move(findings);
  return report;
}

TEST(Fixes, AreMadeTogether) {
  const Report report = report_of({edit(1, 1, "x = "), edit(4, 5, "D"), edit(7, 7, ";")});
  const FixPlan plan = plan_of(report);
  EXPECT_EQ(plan.files.at("/p/a.cc"), "x = abcDef;\n");
  EXPECT_EQ(plan.applied.size(), 3u);
}

TEST(Fixes, OfTwoThatOverlapTheFirstIsMade) {
  const Report report = report_of({edit(2, 5, "-"), edit(4, 6, "+"), edit(5, 5, "!")});
  const FixPlan plan = plan_of(report);
  EXPECT_EQ(plan.files.at("/p/a.cc"), "a-!ef\n");
  ASSERT_EQ(plan.refused.size(), 1u);
  EXPECT_EQ(plan.refused[0].finding, &report.findings[1]);
  EXPECT_EQ(plan.refused[0].reason, "another fix changes the same text");
}

TEST(Fixes, EqualOnesAreMadeOnceAndInsertionsAtOnePlaceHaveNoOrder) {
  const Report report = report_of({edit(3, 3, "1"), edit(3, 3, "1"), edit(3, 3, "2")});
  const FixPlan plan = plan_of(report);
  EXPECT_EQ(plan.files.at("/p/a.cc"), "ab1cdef\n");
  EXPECT_EQ(plan.applied.size(), 2u);
  EXPECT_EQ(plan.refused.size(), 1u);
}

TEST(Fixes, AFindingIsFixedAsAWholeOrNotAtAll) {
  Finding both = edit(1, 1, "x");
  both.fix_its.push_back({{"/p/a.cc", 9, 1, 9, 1}, "y"});  // no such line
  Finding elsewhere = edit(1, 1, "x");
  elsewhere.fix_its.push_back({{"/other/b.cc", 1, 1, 1, 1}, "y"});
  const Report report = report_of({both, elsewhere});
  const FixPlan plan = plan_of(report);
  EXPECT_TRUE(plan.files.empty());
  ASSERT_EQ(plan.refused.size(), 2u);
  EXPECT_EQ(plan.refused[0].reason, "the text is not what was checked");
  EXPECT_EQ(plan.refused[1].reason, "it would change a file that was not to be checked");
}

TEST(Fixes, OnlyThoseOfSafeRulesUnlessAllAreAskedFor) {
  const Report report = report_of({edit(1, 1, "x", "device-mismatch")});
  EXPECT_TRUE(plan_of(report).files.empty());
  EXPECT_EQ(plan_of(report, FixScope::kAll).files.at("/p/a.cc"), "xabcdef\n");
}

}  // namespace
}  // namespace placecheck::findings
