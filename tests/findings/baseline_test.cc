#include "analyzer/findings/baseline.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "tests/findings/sample.h"

namespace placecheck::findings {
namespace {

Finding at_line(unsigned line, std::string rule = "device-mismatch") {
  return {.rule = std::move(rule), .range = {"/p/a.cc", line, 1}, .message = "m"};
}

Report report_of(std::vector<Finding> findings) {
  Report report;
  report.findings = std::move(findings);
  report.root = "/p";
  return report;
}

std::string baseline_of(const Report& report, llvm::StringRef source) {
  SourceCache sources;
  sources.add("/p/a.cc", source);
  return written([&](llvm::raw_ostream& out) { write_baseline(report, sources, out); });
}

// The lines of the findings that a baseline text leaves.
std::vector<unsigned> left(llvm::StringRef baseline, Report report, llvm::StringRef source) {
  llvm::Expected<Baseline> known = Baseline::parse(baseline);
  if (!known) {
    ADD_FAILURE() << llvm::toString(known.takeError());
    return {};
  }
  SourceCache sources;
  sources.add("/p/a.cc", source);
  const std::size_t before = report.findings.size();
  apply_baseline(*known, report, sources);
  EXPECT_EQ(report.baselined + report.findings.size(), before);
  std::vector<unsigned> lines;
  for (const Finding& finding : report.findings) lines.push_back(finding.range.line);
  return lines;
}

using Lines = std::vector<unsigned>;

TEST(Baseline, RoundTripLeavesNothing) {
  const Report report = report_of({at_line(1), at_line(2), at_line(2, "discarded-transfer")});
  const std::string text = baseline_of(report, "f(x);\ng(x);\n");
  EXPECT_EQ(left(text, report, "f(x);\ng(x);\n"), Lines{});
}

TEST(Baseline, SurvivesMovedAndReindentedLines) {
  const std::string text = baseline_of(report_of({at_line(1)}), "f(x);\n");
  EXPECT_EQ(left(text, report_of({at_line(3)}), "\n\n\t f( x );\n"), Lines{});
}

TEST(Baseline, ReportsWhatIsNew) {
  const std::string text = baseline_of(report_of({at_line(1)}), "f(x);\n");
  EXPECT_EQ(left(text, report_of({at_line(1)}), "f(y);\n"), Lines{1});
  EXPECT_EQ(left(text, report_of({at_line(1, "discarded-transfer")}), "f(x);\n"), Lines{1});
}

// Two equal lines are two findings; a third is new.
TEST(Baseline, CountsEqualLines) {
  const std::string source = "f(x);\nf(x);\nf(x);\n";
  const std::string text = baseline_of(report_of({at_line(1), at_line(2)}), source);
  EXPECT_EQ(left(text, report_of({at_line(1), at_line(2), at_line(3)}), source), Lines{3});
}

TEST(Baseline, DoesNotDependOnWhereTheProjectLies) {
  const std::string text = baseline_of(report_of({at_line(1)}), "f(x);\n");
  SourceCache sources;
  sources.add("/elsewhere/a.cc", "f(x);\n");
  Report moved;
  moved.root = "/elsewhere/";
  moved.findings = {
      {.rule = "device-mismatch", .range = {"/elsewhere/a.cc", 1, 1}, .message = "m"}};
  llvm::Expected<Baseline> known = Baseline::parse(text);
  ASSERT_TRUE(static_cast<bool>(known));
  apply_baseline(*known, moved, sources);
  EXPECT_TRUE(moved.findings.empty());
}

TEST(Baseline, RefusesWhatIsNone) {
  for (const char* text : {"", "[]", "{", "{\"version\": 2, \"findings\": []}", "{\"version\": 1}",
                           "{\"version\": 1, \"findings\": [1]}",
                           "{\"version\": 1, \"findings\": [{\"rule\": \"x\"}]}"}) {
    llvm::Expected<Baseline> known = Baseline::parse(text);
    EXPECT_FALSE(static_cast<bool>(known)) << text;
    llvm::consumeError(known.takeError());
  }
}

TEST(Baseline, ReadsFilesAndSaysWhichIsMissing) {
  const std::string path = testing::TempDir() + "/placecheck_baseline.json";
  const Report report = report_of({at_line(1)});
  std::ofstream(path) << baseline_of(report, "f(x);\n");
  llvm::Expected<Baseline> known = Baseline::read_file(path);
  ASSERT_TRUE(static_cast<bool>(known));
  SourceCache sources;
  sources.add("/p/a.cc", "f(x);\n");
  EXPECT_TRUE(known->contains(fingerprints(report, sources).front()));
  llvm::Expected<Baseline> missing = Baseline::read_file("/no/such/baseline.json");
  ASSERT_FALSE(static_cast<bool>(missing));
  EXPECT_NE(llvm::toString(missing.takeError()).find("/no/such/baseline.json"), std::string::npos);
}

}  // namespace
}  // namespace placecheck::findings
