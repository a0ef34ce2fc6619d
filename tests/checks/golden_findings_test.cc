// All that is said of the fixtures is what their golden files say: messages, notes and fixes, where
// the marks in the fixtures name only lines and rules. Each folder of the test data has a file of
// its own, with a section for each fixture in which something is found.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "analyzer/findings/line_diff.h"
#include "analyzer/findings/report.h"
#include "tests/checks/findings_text.h"
#include "tests/checks/fixtures.h"
#include "tests/checks/judged_fixtures.h"

namespace placecheck::checks {
namespace {

namespace fs = std::filesystem;

constexpr const char* kGolden = "findings.txt";
constexpr const char* kRefresh = "./bazelw run //tests/checks:refresh_findings";
// Names the folder whose golden files are to be written; nothing is compared then.
constexpr const char* kRefreshedTestdata = "REFRESHED_TESTDATA";
constexpr const char* kHeading = "== ";

using Sections = std::map<std::string, std::string>;  // by fixture, with its heading

std::string folder_of(const std::string& fixture) { return fs::path(fixture).begin()->string(); }

fs::path golden_of(const std::string& folder) { return fs::path(kTestdata) / folder / kGolden; }

// Those with fixtures, and those with a golden file that was left behind.
std::vector<std::string> folders() {
  std::set<std::string> folders;
  for (const auto& [name, files] : fixtures()) folders.insert(folder_of(name));
  for (const auto& entry : fs::directory_iterator(kTestdata)) {
    const std::string folder = entry.path().filename().string();
    if (fs::exists(golden_of(folder))) folders.insert(folder);
  }
  return {folders.begin(), folders.end()};
}

std::string heading_of(const std::string& fixture) {
  return kHeading + fs::path(fixture).lexically_relative(folder_of(fixture)).string();
}

Sections sections_of(const std::string& text) {
  Sections sections;
  std::istringstream in(text);
  std::string heading;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with(kHeading)) heading = line;
    sections[heading] += line + "\n";
  }
  return sections;
}

// Where headers are missing, a fixture is understood in part: FixturesTest says whether it may be.
bool is_understood(const std::string& fixture) {
  return std::ranges::all_of(fixture_files(fixture), [](const std::string& file) {
    return fixtures_pipeline().report_of(file).status == findings::Understanding::kFully;
  });
}

// What is found in a folder. The section of a fixture that is not understood stands as it is: the
// file is the same on machines with and without the CUDA toolkit.
std::string text_found(const std::string& folder, const std::string& golden) {
  const Sections known = sections_of(golden);
  const std::string root = (fixtures_root() / folder).string();
  std::string text;
  for (const auto& [name, files] : fixtures()) {
    if (folder_of(name) != folder) continue;
    const std::string heading = heading_of(name);
    if (!is_understood(name)) {
      const auto section = known.find(heading);
      if (section != known.end()) text += section->second;
    } else if (const std::string found = findings_text(fixture_findings(name), root);
               !found.empty()) {
      text += heading + "\n" + found;
    }
  }
  return text;
}

// A folder in which nothing is found has no golden file.
void refresh(const fs::path& file, const std::string& text) {
  if (text.empty()) {
    fs::remove(file);
    return;
  }
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  ASSERT_TRUE(out) << "cannot write " << file;
}

class GoldenFindingsTest : public testing::TestWithParam<std::string> {};

TEST_P(GoldenFindingsTest, AreWhatIsFound) {
  const fs::path file = golden_of(GetParam());
  const std::string golden = text_of(file.string());
  const std::string found = text_found(GetParam(), golden);
  if (const char* testdata = std::getenv(kRefreshedTestdata)) {
    if (found != golden) refresh(fs::path(testdata) / GetParam() / kGolden, found);
    return;
  }
  EXPECT_TRUE(found == golden) << file.string() << " is not what is found:\n"
                               << findings::unified_diff(file.string(), golden, found)
                               << "If what is found is right, refresh the golden files:\n  "
                               << kRefresh;
}

INSTANTIATE_TEST_SUITE_P(Testdata, GoldenFindingsTest, testing::ValuesIn(folders()), test_name);

}  // namespace
}  // namespace placecheck::checks
