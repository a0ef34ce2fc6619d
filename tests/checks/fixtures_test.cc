// Every fixture is judged as a user's program would be, and compared with what its lines say:
//   // expect: RULE ...               found here, and nothing else is found
//   // expect-miss: RULE ...          should be found and is not; the mark goes when it is
//   // expect-false-alarm: RULE ...   is found and should not be; the mark goes when it is not
// In Python a comment begins with `#`. A line `// devices: N` asks for --devices=N. A file is a
// program of its own; the files of a folder with a main.cc, or of one called many_programs, are
// judged together.
#include "tests/checks/fixtures.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/checks/pipeline.h"

namespace placecheck::checks {
namespace {

namespace fs = std::filesystem;

using Lines = std::set<std::string>;  // "folder/file.cc:LINE RULE"

struct Marks {
  Lines found;   // expected, false alarms included
  Lines missed;  // known misses
  size_t count = 0;
};

const std::map<std::string, std::vector<std::string>>& fixtures() {
  static const auto* kFixtures = new std::map(find_fixtures());
  return *kFixtures;
}

std::vector<std::string> names() {
  std::vector<std::string> names;
  for (const auto& [name, files] : fixtures()) names.push_back(name);
  return names;
}

// A copy without links, so that the checker sees a project and not the build's folders.
fs::path copy_of_testdata() {
  fs::path root = fs::path(project_folder("project")) / kTestdata;
  fs::copy(kTestdata, root, fs::copy_options::recursive);
  return root;
}

const fs::path& root() {
  static const auto* kRoot = new fs::path(copy_of_testdata());
  return *kRoot;
}

std::vector<std::string> absolute(const std::vector<std::string>& files) {
  std::vector<std::string> result;
  for (const std::string& file : files) result.push_back((root() / file).string());
  return result;
}

const Pipeline& pipeline() {
  static const Pipeline* kPipeline = [] {
    std::vector<std::string> files;
    for (const auto& [name, members] : fixtures()) {
      for (std::string& file : absolute(members)) files.push_back(std::move(file));
    }
    std::string project = root().parent_path().string();
    return new Pipeline(project, files, test_folder("cache"), {"-I" + project});
  }();
  return *kPipeline;
}

std::string spot(const std::string& file, size_t line, std::string_view rule) {
  return fs::path(file).lexically_relative(root()).string() + ":" + std::to_string(line) + " " +
         std::string(rule);
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

std::string comment_leader(const std::string& file) { return file.ends_with(".py") ? "# " : "// "; }

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
    }
  }
  return marks;
}

AnalyzeOptions options_of(const std::set<std::string>& files) {
  AnalyzeOptions options;
  for (const std::string& file : files) {
    const std::string tag = comment_leader(file) + "devices: ";
    std::string text = text_of(file);
    size_t at = text.find(tag);
    if (at == std::string::npos) continue;
    options.devices = std::stoi(text.substr(at + tag.size()));
    options.devices_given = true;
  }
  return options;
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
  std::vector<std::string> files = absolute(fixtures().at(GetParam()));
  std::set<std::string> parts;
  for (const std::string& file : files) {
    const findings::FileReport& report = pipeline().report_of(file);
    if (lacks_toolkit(report)) GTEST_SKIP() << report.first_error;
    EXPECT_EQ(report.status, findings::Understanding::kFully) << report.first_error;
    for (const std::string& part : pipeline().parts_of(file)) {
      if (part.starts_with(root().string())) parts.insert(part);
    }
  }
  Marks marks = marks_of(parts);
  if (is_silent(GetParam())) {
    EXPECT_EQ(marks.count, 0u) << "a program that must be silent";
  }
  Lines found;
  std::string messages;
  for (const findings::Finding& each : pipeline().judge(files, options_of(parts))) {
    found.insert(spot(each.range.file, each.range.line, each.rule));
    messages += spot(each.range.file, each.range.line, each.rule) + ": " + each.message + "\n";
  }
  EXPECT_EQ(difference(marks.found, found), Lines()) << "not found; found were:\n" << messages;
  Lines unexpected = difference(found, marks.found);
  EXPECT_EQ(difference(unexpected, marks.missed), Lines()) << "false alarms:\n" << messages;
  Lines mended = difference(unexpected, difference(unexpected, marks.missed));
  EXPECT_EQ(mended, Lines()) << "no longer missed: make these marks `expect`";
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  for (char& c : name) {
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(Testdata, FixturesTest, testing::ValuesIn(names()), test_name);

TEST(TestdataTest, HasFixtures) { EXPECT_GE(fixtures().size(), 80u); }

}  // namespace
}  // namespace placecheck::checks
