// What the analyzer says of a fixture (its marks, which //tests/checks holds it to) and what a run
// on virtual devices raises are the same, but for the differences written down in the golden file.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "tests/agreement/comparison.h"

namespace placecheck::agreement {
namespace {

namespace fs = std::filesystem;

constexpr const char* kGolden = "testdata/golden/agreement.txt";

std::vector<std::string> executables() {
  std::vector<std::string> found;
  for (const auto& entry : fs::directory_iterator("testdata")) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("agreement_") && entry.path().extension().empty()) {
      found.push_back(fs::absolute(entry.path()).string());
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

// Of the program's file; where that is a main.cc, of all in its folder.
std::vector<Mark> marks_of_program(const std::string& name) {
  const fs::path path(name);
  if (path.filename() != "main.cc") return marks_of(name);
  std::vector<Mark> marks;
  for (const auto& entry : fs::directory_iterator("testdata" / path.parent_path())) {
    const fs::path part = path.parent_path() / entry.path().filename();
    const std::vector<Mark> more = marks_of(part.string());
    marks.insert(marks.end(), more.begin(), more.end());
  }
  return marks;
}

std::string file_text(const std::string& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

int count_sources() {
  const auto entries = fs::recursive_directory_iterator("testdata");
  return static_cast<int>(std::count_if(begin(entries), end(entries), [](const auto& entry) {
    return entry.path().extension() == ".cc" || entry.path().extension() == ".cu";
  }));
}

// For a person to look at, and to make the golden file from.
void write_result(const std::string& text, const std::vector<Execution>& runs) {
  const char* folder = std::getenv("TEST_UNDECLARED_OUTPUTS_DIR");
  if (folder == nullptr) return;
  std::ofstream(fs::path(folder) / "agreement.txt") << text;
  std::ofstream details(fs::path(folder) / "runs.txt");
  for (const Execution& run : runs) {
    details << run.name << (run.is_finished ? "" : " (stopped)") << '\n';
    for (const Event& event : run.events) {
      details << "  " << event.rule << ": " << event.text << '\n';
      for (const std::string& place : event.places) details << "    " << place << '\n';
    }
  }
}

// Two executables at a time; the result is in the order of their names.
std::vector<Execution> run_everything() {
  const std::vector<std::string> files = executables();
  std::vector<std::vector<Execution>> parts(files.size());
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < files.size(); i = next++) parts[i] = run_all(files[i]);
  };
  std::thread other(work);
  work();
  other.join();
  std::vector<Execution> runs;
  for (std::vector<Execution>& part : parts) std::ranges::move(part, std::back_inserter(runs));
  return runs;
}

TEST(Agreement, LintAndRunSayTheSame) {
  const std::vector<Execution> runs = run_everything();
  ASSERT_GE(runs.size(), 210U);
  Comparison comparison;
  for (const Execution& run : runs) add(comparison, run, marks_of_program(run.name));
  comparison.not_run = count_sources() - comparison.programs;
  const auto reasons = read_reasons(kGolden);
  const std::string text = text_of(comparison, reasons);
  write_result(text, runs);
  std::cout << text.substr(0, text.find("\n\n")) << '\n';
  EXPECT_EQ(text.find(": ?\n"), std::string::npos) << "a difference that nobody has looked at";
  EXPECT_EQ(text, file_text(kGolden)) << "the golden file is not what was found";
}

}  // namespace
}  // namespace placecheck::agreement
