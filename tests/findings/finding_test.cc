#include "analyzer/findings/finding.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "analyzer/findings/report.h"
#include "analyzer/findings/source_cache.h"

namespace placecheck::findings {
namespace {

Finding finding(std::string file, unsigned line, std::string rule, std::string program = "",
                std::size_t notes = 0) {
  Finding result{.rule = std::move(rule), .range = {std::move(file), line, 1}, .message = "m"};
  result.notes.resize(notes);
  result.program = std::move(program);
  return result;
}

std::vector<std::string> shown(const std::vector<Finding>& findings) {
  std::vector<std::string> result;
  for (const Finding& one : findings) {
    result.push_back(one.range.file + ":" + std::to_string(one.range.line) + " " + one.rule + " " +
                     one.program + " " + std::to_string(one.notes.size()));
  }
  return result;
}

// Whatever order the findings arrive in.
TEST(OrderAndDeduplicate, DoesNotDependOnTheOrderOfArrival) {
  std::vector<Finding> all = {
      finding("b.cc", 1, "device-mismatch", "p"), finding("a.cc", 10, "device-mismatch", "p"),
      finding("a.cc", 9, "device-mismatch", "p"), finding("a.cc", 9, "discarded-transfer", "p"),
      finding("h.h", 3, "device-mismatch", "q"),  finding("h.h", 3, "device-mismatch", "p"),
      finding("h.h", 4, "device-mismatch", "p"),  finding("h.h", 4, "device-mismatch", "q", 2),
  };
  const std::vector<std::string> expected = {
      "a.cc:9 device-mismatch p 0", "a.cc:9 discarded-transfer p 0", "a.cc:10 device-mismatch p 0",
      "b.cc:1 device-mismatch p 0", "h.h:3 device-mismatch p 0",     "h.h:4 device-mismatch q 2",
  };
  std::mt19937 random(7);
  for (int round = 0; round < 50; ++round) {
    std::vector<Finding> some = all;
    std::ranges::shuffle(some, random);
    order_and_deduplicate(some);
    ASSERT_EQ(shown(some), expected);
  }
}

TEST(OrderAndDeduplicate, KeepsDifferentMessagesAtOnePlace) {
  std::vector<Finding> two = {finding("a.cc", 1, "device-mismatch"),
                              finding("a.cc", 1, "device-mismatch")};
  two[1].message = "other";
  order_and_deduplicate(two);
  EXPECT_EQ(two.size(), 2u);
}

TEST(RelativePath, CutsTheRootOnly) {
  EXPECT_EQ(relative_path("/p/src/a.cc", "/p"), "src/a.cc");
  EXPECT_EQ(relative_path("/p/src/a.cc", "/p/"), "src/a.cc");
  EXPECT_EQ(relative_path("/p/./src/../a.cc", "/p"), "a.cc");
  EXPECT_EQ(relative_path("/pq/a.cc", "/p"), "/pq/a.cc");
  EXPECT_EQ(relative_path("/p/a.cc", ""), "/p/a.cc");
  EXPECT_EQ(relative_path("a.cc", "/p"), "a.cc");
  EXPECT_EQ(relative_path("/a.cc", "/"), "a.cc");
  EXPECT_EQ(relative_path("", "/p"), "");
}

TEST(SourceCache, GivesLinesHoweverTheyEnd) {
  SourceCache sources;
  sources.add("a", "one\r\ntwo\n\nfour");
  EXPECT_EQ(sources.line("a", 1), "one");
  EXPECT_EQ(sources.line("a", 2), "two");
  EXPECT_EQ(sources.line("a", 3), "");
  EXPECT_EQ(sources.line("a", 4), "four");
  EXPECT_EQ(sources.line("a", 0), "");
  EXPECT_EQ(sources.line("a", 5), "");
  EXPECT_EQ(sources.line_count("a"), 4u);
}

TEST(SourceCache, ToleratesWhatCannotBeRead) {
  SourceCache sources;
  EXPECT_EQ(sources.line("/no/such/file", 1), "");
  EXPECT_EQ(sources.contents("/"), "");
  EXPECT_EQ(sources.line_count(""), 0u);
}

}  // namespace
}  // namespace placecheck::findings
