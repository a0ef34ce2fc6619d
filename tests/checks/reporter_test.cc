// Which findings of one event stand, and which rules say so.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "analyzer/checks/check.h"
#include "analyzer/findings/source_cache.h"
#include "rules/catalog.h"

namespace placecheck::checks {
namespace {

std::vector<std::string> reported(const std::vector<std::string>& rules, bool is_exact) {
  findings::SourceCache sources;
  Reporter reporter("program", sources);
  reporter.begin_event(is_exact);
  for (const std::string& rule : rules) {
    findings::Finding finding;
    finding.rule = rule;
    reporter.add(std::move(finding));
  }
  reporter.end_event();
  std::vector<std::string> kept;
  for (const findings::Finding& finding : reporter.take()) kept.push_back(finding.rule);
  return kept;
}

using Rules = std::vector<std::string>;

TEST(ReporterTest, TheMoreSpecificRuleStands) {
  EXPECT_EQ(reported({"device-mismatch", "hardcoded-device"}, true), Rules{"hardcoded-device"});
  EXPECT_EQ(reported({"hardcoded-device", "device-mismatch", "unregistered-state"}, true),
            Rules{"unregistered-state"});
}

TEST(ReporterTest, ARuleThatWasNotAskedForHidesNothing) {
  EXPECT_EQ(reported({"device-mismatch"}, true), Rules{"device-mismatch"});
}

TEST(ReporterTest, NothingIsReportedOfAnApproximateState) {
  EXPECT_EQ(reported({"device-mismatch"}, false), Rules());
}

TEST(ReporterTest, ChecksRefineOtherRulesOfTheCatalogue) {
  for (const Check& check : all_checks()) {
    for (std::string_view refined : check.refines) {
      EXPECT_NE(rules::find_rule(refined), nullptr) << check.rule->id << " refines " << refined;
      EXPECT_NE(refined, check.rule->id);
    }
  }
}

}  // namespace
}  // namespace placecheck::checks
