#include "analyzer/findings/line_diff.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace placecheck::findings {
namespace {

using Lines = std::vector<std::string>;

std::string joined(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

// The new text, from the old one and the changes.
std::string applied(const Lines& before, const Lines& after,
                    const std::vector<LineChange>& changes) {
  Lines result;
  std::size_t next = 0;
  for (const LineChange& change : changes) {
    for (; next < change.old_begin; ++next) result.push_back(before[next]);
    EXPECT_EQ(result.size(), change.new_begin);
    for (std::size_t i = 0; i < change.new_count; ++i)
      result.push_back(after[change.new_begin + i]);
    next = change.old_begin + change.old_count;
  }
  for (; next < before.size(); ++next) result.push_back(before[next]);
  return joined(result);
}

// The length of a longest common subsequence, by the plain table.
std::size_t common_lines(const Lines& a, const Lines& b) {
  std::vector<std::vector<std::size_t>> table(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      table[i][j] = a[i - 1] == b[j - 1] ? table[i - 1][j - 1] + 1
                                         : std::max(table[i - 1][j], table[i][j - 1]);
    }
  }
  return table[a.size()][b.size()];
}

TEST(LineDiff, IsAShortestWayFromOneTextToTheOther) {
  std::mt19937 random(1);
  for (int round = 0; round < 3000; ++round) {
    const auto lines = [&] {
      Lines result(random() % 9);
      for (std::string& line : result) line = std::string(1, static_cast<char>('a' + random() % 3));
      return result;
    };
    const Lines before = lines();
    const Lines after = lines();
    const auto changes = changed_lines(joined(before), joined(after));
    ASSERT_EQ(applied(before, after, changes), joined(after));
    std::size_t edits = 0;
    for (const LineChange& change : changes) edits += change.old_count + change.new_count;
    ASSERT_EQ(edits, before.size() + after.size() - 2 * common_lines(before, after));
  }
}

TEST(LineDiff, TextsThatShareNothingAreOneChange) {
  const auto changes = changed_lines(joined(Lines(3000, "a")), joined(Lines(3000, "b")));
  EXPECT_EQ(changes, (std::vector<LineChange>{{0, 3000, 0, 3000}}));
}

TEST(LineDiff, IsWrittenAsPatchReadsIt) {
  EXPECT_EQ(unified_diff("a.cc", "1\n2\n", "1\n2\n"), "");
  EXPECT_EQ(unified_diff("a.cc", "1\n2\n3\n4\n5\n6\n", "1\n2\n3\n4\nfive\n6\n"),
            "--- a/a.cc\n+++ b/a.cc\n@@ -2,5 +2,5 @@\n 2\n 3\n 4\n-5\n+five\n 6\n");
  EXPECT_EQ(unified_diff("a.cc", "", "1\n"), "--- a/a.cc\n+++ b/a.cc\n@@ -0,0 +1 @@\n+1\n");
  EXPECT_EQ(unified_diff("a.cc", "1", "1\n"),
            "--- a/a.cc\n+++ b/a.cc\n@@ -1 +1 @@\n-1\n\\ No newline at end of file\n+1\n");
}

}  // namespace
}  // namespace placecheck::findings
