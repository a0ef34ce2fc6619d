// The examples of the rules' pages are judged as the pages say: one finding on the marked line of
// each bad one, none in the good ones.
#include <gtest/gtest.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/checks/pipeline.h"
#include "tests/rules/examples.h"

namespace placecheck::checks {
namespace {

namespace fs = std::filesystem;

struct Case {
  rules::Example example;
  std::string name;
};

void PrintTo(const Case& value, std::ostream* out) { *out << value.name; }

std::vector<Case> cases() {
  std::vector<Case> cases;
  for (rules::Example& example : rules::examples()) {
    std::string name = example.rule + (example.expected_line != 0 ? "_bad" : "_good") + "_" +
                       std::to_string(cases.size());
    for (char& c : name) {
      if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
    }
    cases.push_back({std::move(example), std::move(name)});
  }
  return cases;
}

std::string path_in(const fs::path& root, const Case& value) {
  return (root / (value.name + value.example.extension)).string();
}

// The examples as files of a project that has the runtime's headers below it.
fs::path write_examples() {
  fs::path root = project_folder("pages");
  for (const Case& each : cases()) std::ofstream(path_in(root, each)) << each.example.source;
  return root;
}

const fs::path& root() {
  static const auto* kRoot = new fs::path(write_examples());
  return *kRoot;
}

const Pipeline& pipeline() {
  static const Pipeline* kPipeline = [] {
    std::vector<std::string> files;
    for (const Case& each : cases()) files.push_back(path_in(root(), each));
    return new Pipeline(root().string(), files, test_folder("pages_cache"),
                        {"-I" + root().string()});
  }();
  return *kPipeline;
}

class RulePagesTest : public testing::TestWithParam<Case> {};

TEST_P(RulePagesTest, ExampleIsJudgedAsThePageSays) {
  const rules::Example& example = GetParam().example;
  std::string file = path_in(root(), GetParam());
  const findings::FileReport& report = pipeline().report_of(file);
  if (lacks_toolkit(report)) GTEST_SKIP() << report.first_error;
  EXPECT_EQ(report.status, findings::Understanding::kFully) << report.first_error;
  std::string found;
  AnalyzeOptions options;
  if (rules::find_rule(example.rule)->is_asked_for) options.rules.insert(example.rule);
  for (const findings::Finding& each : pipeline().judge({file}, options)) {
    found += fs::path(each.range.file).filename().string() + ":" + std::to_string(each.range.line) +
             " " + each.rule + "\n";
  }
  std::string expected;
  if (example.expected_line != 0) {
    expected = fs::path(file).filename().string() + ":" + std::to_string(example.expected_line) +
               " " + example.rule + "\n";
  }
  EXPECT_EQ(found, expected) << example.source;
}

INSTANTIATE_TEST_SUITE_P(Pages, RulePagesTest, testing::ValuesIn(cases()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace placecheck::checks
