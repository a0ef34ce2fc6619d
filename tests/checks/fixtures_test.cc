// Every fixture is judged as a user's program would be, and compared with what its lines say:
//   // expect: RULE ...               found here, and nothing else is found
//   // expect-miss: RULE ...          should be found and is not; the mark goes when it is
//   // expect-false-alarm: RULE ...   is found and should not be; the mark goes when it is not
//   // noted: RULE ...               a finding of the rule has a note here
// In Python a comment begins with `#`. A line `// devices: N` asks for --devices=N, `// rule: ID`
// for that rule alone, which may be one that is off by itself. A file is a program of its own; the
// files of a folder with a main.cc, or of one called many_programs, are judged together.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/checks/judged_fixtures.h"
#include "tests/checks/pipeline.h"

namespace placecheck::checks {
namespace {

namespace fs = std::filesystem;

using Lines = std::set<std::string>;  // "folder/file.cc:LINE RULE"

struct Marks {
  Lines found;   // expected, false alarms included
  Lines missed;  // known misses
  Lines noted;
  size_t count = 0;
};

std::vector<std::string> names() {
  std::vector<std::string> names;
  for (const auto& [name, files] : fixtures()) names.push_back(name);
  return names;
}

std::string spot(const std::string& file, size_t line, std::string_view rule) {
  return fs::path(file).lexically_relative(fixtures_root()).string() + ":" + std::to_string(line) +
         " " + std::string(rule);
}

// Adds a line's rules behind `tag`; what does not look like a rule ends the list.
size_t add_marks(std::string_view line, std::string_view tag, const std::string& file,
                 size_t number, Lines& to) {
  size_t at = line.find(tag);
  if (at == std::string_view::npos) return 0;
  std::string ids(line.substr(at + tag.size()));
  std::replace(ids.begin(), ids.end(), ',', ' ');
  std::istringstream words(ids);
  size_t count = 0;
  for (std::string id; words >> id && id.find('-') != std::string::npos; ++count) {
    to.insert(spot(file, number, id));
  }
  EXPECT_NE(count, 0u) << file << ':' << number << ": a mark without a rule";
  return count;
}

Marks marks_of(const std::set<std::string>& files) {
  Marks marks;
  for (const std::string& file : files) {
    std::istringstream text(text_of(file));
    const std::string leader = comment_leader(file);
    size_t number = 0;
    for (std::string line; std::getline(text, line);) {
      ++number;
      marks.count += add_marks(line, leader + "expect: ", file, number, marks.found);
      marks.count += add_marks(line, leader + "expect-miss: ", file, number, marks.missed);
      marks.count += add_marks(line, leader + "expect-false-alarm: ", file, number, marks.found);
      add_marks(line, leader + "noted: ", file, number, marks.noted);
    }
  }
  return marks;
}

Lines difference(const Lines& a, const Lines& b) {
  Lines result;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(),
                      std::inserter(result, result.begin()));
  return result;
}

// Whether a fixture is of those that nothing may be found in.
bool is_silent(const std::string& name) {
  fs::path path(name);
  bool is_program = *path.begin() == "programs" && name.find("_bad.") == std::string::npos;
  return is_program || name.find("_good") != std::string::npos;
}

class FixturesTest : public testing::TestWithParam<std::string> {};

TEST_P(FixturesTest, IsFoundWhereItSaysSo) {
  std::vector<std::string> files = fixture_files(GetParam());
  for (const std::string& file : files) {
    const findings::FileReport& report = fixtures_pipeline().report_of(file);
    if (lacks_toolkit(report)) GTEST_SKIP() << report.first_error;
    EXPECT_EQ(report.status, findings::Understanding::kFully) << report.first_error;
  }
  const std::set<std::string> parts = fixture_parts(GetParam());
  Marks marks = marks_of(parts);
  if (is_silent(GetParam())) {
    EXPECT_EQ(marks.count, 0u) << "a program that must be silent";
  }
  Lines found, noted;
  std::string messages;
  for (const findings::Finding& each : fixture_findings(GetParam())) {
    found.insert(spot(each.range.file, each.range.line, each.rule));
    messages += spot(each.range.file, each.range.line, each.rule) + ": " + each.message + "\n";
    for (const findings::Note& note : each.notes)
      noted.insert(spot(note.range.file, note.range.line, each.rule));
  }
  EXPECT_EQ(difference(marks.found, found), Lines()) << "not found; found were:\n" << messages;
  EXPECT_EQ(difference(marks.noted, noted), Lines()) << "no note there";
  Lines unexpected = difference(found, marks.found);
  EXPECT_EQ(difference(unexpected, marks.missed), Lines()) << "false alarms:\n" << messages;
  Lines mended = difference(unexpected, difference(unexpected, marks.missed));
  EXPECT_EQ(mended, Lines()) << "no longer missed: make these marks `expect`";
}

INSTANTIATE_TEST_SUITE_P(Testdata, FixturesTest, testing::ValuesIn(names()), test_name);

TEST(TestdataTest, HasFixtures) { EXPECT_GE(fixtures().size(), 80u); }

}  // namespace
}  // namespace placecheck::checks
