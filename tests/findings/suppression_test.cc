#include "analyzer/findings/suppression.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "rules/catalog.h"

namespace placecheck::findings {
namespace {

// What is left of a file with these findings, as "line rule".
class Suppressing : public testing::Test {
 protected:
  void find(unsigned line, std::string rule, unsigned end_line = 0) {
    Finding finding{.rule = std::move(rule), .range = {file_, line, 3}, .message = "m"};
    finding.range.end_line = end_line;
    finding.range.end_column = end_line ? 9 : 0;
    report_.findings.push_back(std::move(finding));
  }

  std::vector<std::string> left(llvm::StringRef source) {
    SourceCache sources;
    sources.add(file_, source);
    report_.files = {{.path = file_, .status = status_}};
    apply_suppressions(report_, active_, sources, require_reason_);
    std::vector<std::string> result;
    for (const Finding& finding : report_.findings) {
      result.push_back(std::to_string(finding.range.line) + " " + finding.rule);
    }
    return result;
  }

  using Lines = std::vector<std::string>;
  std::string file_ = "a.cc";
  Understanding status_ = Understanding::kFully;
  std::vector<std::string_view> active_ = [] {
    std::vector<std::string_view> ids;
    for (const rules::Rule& rule : rules::catalog()) ids.push_back(rule.id);
    return ids;
  }();
  bool require_reason_ = false;
  Report report_;
};

TEST_F(Suppressing, NamedRuleOnItsLine) {
  find(1, "device-mismatch");
  find(2, "device-mismatch");
  EXPECT_EQ(left("f(x);  // NOLINT(device-mismatch): known\nf(x);\n"), Lines{"2 device-mismatch"});
  EXPECT_EQ(report_.suppressed, 1u);
}

TEST_F(Suppressing, OtherRulesOnTheLineStay) {
  find(1, "device-mismatch");
  find(1, "discarded-transfer");
  EXPECT_EQ(left("f(x);  // NOLINT(discarded-transfer)\n"), Lines{"1 device-mismatch"});
}

TEST_F(Suppressing, NextLine) {
  find(2, "device-mismatch");
  EXPECT_EQ(left("// NOLINTNEXTLINE(device-mismatch)\nf(x);\n"), Lines{});
}

TEST_F(Suppressing, NextLineDoesNotReachItsOwn) {
  find(1, "device-mismatch");
  EXPECT_EQ(left("f(x);  // NOLINTNEXTLINE(device-mismatch)\n\n"),
            (Lines{"1 device-mismatch", "1 unused-suppression"}));
}

TEST_F(Suppressing, BareSilencesAllAndIsNeverUnused) {
  find(1, "device-mismatch");
  find(1, "discarded-transfer");
  EXPECT_EQ(left("f(x);  // NOLINT\ng();  // NOLINT\n// NOLINTNEXTLINE\nh();\n"), Lines{});
  EXPECT_EQ(report_.suppressed, 2u);
}

TEST_F(Suppressing, ListsAndBlockComments) {
  find(1, "device-mismatch");
  find(1, "state-dict-prefix");
  EXPECT_EQ(left("f(x); /* NOLINT(google-foo, device-mismatch,state-dict-prefix) */\n"), Lines{});
}

TEST_F(Suppressing, OnAnyLineOfTheStatement) {
  find(1, "device-mismatch", /*end_line=*/3);
  EXPECT_EQ(left("f(\n  x\n);  // NOLINT(device-mismatch)\n"), Lines{});
}

TEST_F(Suppressing, UnusedIsReportedAtTheName) {
  EXPECT_EQ(left("f(x);  // NOLINT(device-mismatch)\n"), Lines{"1 unused-suppression"});
  const Finding& finding = report_.findings.front();
  EXPECT_EQ(finding.range, (SourceRange{"a.cc", 1, 18, 1, 33}));
  EXPECT_EQ(finding.message, "nothing is found here for 'device-mismatch' to suppress");
}

TEST_F(Suppressing, UnusedNeedsAnUnderstoodFileAndARuleThatRan) {
  status_ = Understanding::kPartly;
  EXPECT_EQ(left("// NOLINT(device-mismatch)\n"), Lines{});
  status_ = Understanding::kFully;
  active_ = {"discarded-transfer"};
  EXPECT_EQ(left("// NOLINT(device-mismatch)\n"), Lines{});
}

TEST_F(Suppressing, UnknownIsReportedWithTheNearestRule) {
  find(1, "device-mismatch");
  EXPECT_EQ(left("f(x);  // NOLINT(device_mismatch)\n"),
            (Lines{"1 device-mismatch", "1 unknown-suppression"}));
  const Finding& finding = report_.findings.back();
  EXPECT_EQ(finding.message, "there is no rule 'device_mismatch'; did you mean 'device-mismatch'?");
  ASSERT_EQ(finding.fix_its.size(), 1u);
  EXPECT_EQ(finding.fix_its[0].replacement, "device-mismatch");
  EXPECT_EQ(finding.fix_its[0].range, (SourceRange{"a.cc", 1, 18, 1, 33}));
}

TEST_F(Suppressing, OurPrefixIsUnderstood) {
  find(1, "device-mismatch");
  EXPECT_EQ(left("f(x);  // NOLINT(placecheck-device-mismatch)\n"
                 "g(x);  // NOLINT(placecheck-no-such-rule-at-all)\n"),
            Lines{"2 unknown-suppression"});
}

TEST_F(Suppressing, ForeignNamesAreNoneOfOurs) {
  EXPECT_EQ(left("f();  // NOLINT(cppcoreguidelines-*, google-explicit-constructor)\n"
                 "g();  // NOLINT(*)\n"
                 "h();  // NOLINT(runtime/references, whitespace/line_length)\n"
                 "// NOLINTBEGIN(device-mismatch)\n"
                 "// NOLINTEND(device-mismatch)\n"
                 "// XNOLINT(device-mismatch)\n"),
            Lines{});
}

TEST_F(Suppressing, PatternsMatchOurs) {
  find(1, "state-dict-prefix");
  find(2, "device-mismatch");
  EXPECT_EQ(left("f();  // NOLINT(state-dict-*)\ng();  // NOLINT(state-dict-*)\n"),
            Lines{"2 device-mismatch"});
}

TEST_F(Suppressing, StringsAreNotComments) {
  find(1, "device-mismatch");
  find(2, "device-mismatch");
  EXPECT_EQ(left("f(\"// NOLINT(device-mismatch)\");\n"
                 "f(R\"x(\n// NOLINT(device-mismatch) )\" )x\", '\"');\n"),
            (Lines{"1 device-mismatch", "2 device-mismatch"}));
}

TEST_F(Suppressing, PythonUsesNoqa) {
  file_ = "a.py";
  find(1, "device-mismatch");
  find(2, "device-mismatch");
  find(3, "device-mismatch");
  find(6, "device-mismatch");
  EXPECT_EQ(left("f(x)  # noqa: device-mismatch\n"
                 "f(x)  # NOQA:E501,device-mismatch # because\n"
                 "f('# noqa: device-mismatch')  # NOLINT(device-mismatch)\n"
                 "g()  # noqa: E501, device-mismatch\n"
                 "g()  # noqa\n"
                 "f(x)  # about noqa: device-mismatch\n"
                 "\"\"\"\n# noqa: device-mismatch\n\"\"\"\n"),
            (Lines{"3 device-mismatch", "4 unused-suppression", "6 device-mismatch"}));
}

TEST_F(Suppressing, InNotebooksOnTheLineOfTheFile) {
  file_ = "a.ipynb";
  find(2, "device-mismatch");
  find(3, "device-mismatch");
  EXPECT_EQ(left("{\"cells\": [{\"cell_type\": \"code\", \"source\": [\n"
                 "\"f(x)  # noqa: device-mismatch\\n\",\n"
                 "\"f('# noqa: device-mismatch')\"]}]}\n"),
            (Lines{"3 device-mismatch"}));
}

TEST_F(Suppressing, AReasonIsAskedForWhereTheProjectSaysSo) {
  require_reason_ = true;
  for (unsigned line = 1; line <= 8; ++line) find(line, "device-mismatch");
  EXPECT_EQ(left("f(x);  // NOLINT(device-mismatch)\n"
                 "f(x);  // NOLINT(device-mismatch): the loader pins it\n"
                 "f(x);  // NOLINT\n"
                 "f(x);  // NOLINT: generated\n"
                 "f(x);  /* NOLINT(device-mismatch) - generated */\n"
                 "f(x);  /* NOLINT(device-mismatch) */\n"
                 "f(x);  // NOLINT(device-mismatch) NOLINT(google-foo): of that one only\n"
                 "f(x);  // NOLINT(google-foo, device-mismatch) \u00e9t\u00e9\n"),
            (Lines{"1 unexplained-suppression", "3 unexplained-suppression",
                   "6 unexplained-suppression", "7 unexplained-suppression"}));
  const Finding& finding = report_.findings.front();
  EXPECT_EQ(finding.range, (SourceRange{"a.cc", 1, 18, 1, 33}));
  EXPECT_EQ(finding.message, "nothing says why 'device-mismatch' is suppressed here");
  EXPECT_EQ(finding.fix, "give the reason: // NOLINT(device-mismatch): reason");
  EXPECT_EQ(report_.findings[1].message, "nothing says why findings are suppressed here");
  EXPECT_EQ(report_.suppressed, 8u);
}

TEST_F(Suppressing, WhatSilencesNothingNeedsNoReason) {
  require_reason_ = true;
  EXPECT_EQ(left("f(x);  // NOLINT\n"
                 "f(x);  // NOLINT(google-foo)\n"
                 "f(x);  // NOLINT(device-mismatch)\n"
                 "f(x);  // NOLINT(state-dict-*)\n"),
            Lines{"3 unused-suppression"});
}

TEST_F(Suppressing, InPythonTheReasonFollowsASecondHash) {
  file_ = "a.py";
  require_reason_ = true;
  for (unsigned line = 1; line <= 4; ++line) find(line, "device-mismatch");
  EXPECT_EQ(left("f(x)  # noqa: device-mismatch\n"
                 "f(x)  # noqa: device-mismatch  # the loader pins it\n"
                 "f(x)  # noqa\n"
                 "f(x)  # noqa  # generated\n"),
            (Lines{"1 unexplained-suppression", "3 unexplained-suppression"}));
  EXPECT_EQ(report_.findings[0].fix, "give the reason: # noqa: device-mismatch  # reason");
  EXPECT_EQ(report_.findings[1].fix, "give the reason: # noqa  # reason");
}

TEST_F(Suppressing, UnreadableFilesHaveNone) {
  file_ = "/no/such/file.cc";
  find(1, "device-mismatch");
  SourceCache sources;
  report_.files = {{.path = file_}};
  apply_suppressions(report_, active_, sources);
  EXPECT_EQ(report_.findings.size(), 1u);
}

TEST(SuppressionRules, HaveRows) {
  EXPECT_NE(find_row("unused-suppression"), nullptr);
  EXPECT_NE(find_row("unknown-suppression"), nullptr);
  EXPECT_NE(find_row("device-mismatch"), nullptr);
  EXPECT_EQ(find_row("no-such-rule"), nullptr);
}

}  // namespace
}  // namespace placecheck::findings
