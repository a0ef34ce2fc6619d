// Every fix over every fixture: what is fixed still parses, the finding is gone, and no other has
// come in its place. The counts by rule are in a file, so that a fix which is lost is seen.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "analyzer/findings/fixes.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include "tests/checks/fixtures.h"
#include "tests/checks/judged_fixtures.h"

namespace placecheck::checks {
namespace {

namespace fs = std::filesystem;
using findings::Finding;

constexpr const char* kGolden = "testdata/golden/fixes.txt";

// What is found in one fixture, before and after all of its fixes are made.
struct Mending {
  std::vector<std::string> files;
  std::set<std::string> parts;
  findings::Report before;
  findings::FixPlan plan;
  std::vector<Finding> after;
};

struct Counts {
  size_t findings = 0;
  size_t with_fix = 0;
  size_t applied = 0;
  size_t mended = 0;
};

// A rule in one of the languages.
std::string row_of(const Finding& finding) {
  return finding.rule + (finding.range.file.ends_with(".py") ? " (Python)" : "");
}

std::map<std::string, size_t> count_by_row(const std::vector<Finding>& findings) {
  std::map<std::string, size_t> counts;
  for (const Finding& each : findings) ++counts[row_of(each)];
  return counts;
}

Mending judge(const std::string& name) {
  Mending mending;
  mending.files = fixture_files(name);
  mending.parts = fixture_parts(name);
  mending.before.findings = fixture_findings(name);
  findings::SourceCache sources;
  mending.plan = findings::plan_fixes(
      mending.before, findings::FixScope::kAll,
      [&](const std::string& file) { return mending.parts.count(file) != 0; }, sources);
  return mending;
}

bool is_readable(const std::vector<std::string>& files) {
  return std::ranges::none_of(files, [](const std::string& file) {
    return lacks_toolkit(fixtures_pipeline().report_of(file));
  });
}

// All fixtures in which something is fixed, fixed in place and lowered once more.
std::map<std::string, Mending>& mendings() {
  static auto* kMendings = [] {
    auto* all = new std::map<std::string, Mending>;
    for (const auto& [name, members] : fixtures()) {
      if (is_readable(fixture_files(name))) all->emplace(name, judge(name));
    }
    std::vector<std::string> again;
    for (const auto& [name, mending] : *all) {
      if (mending.plan.files.empty()) continue;
      for (const auto& [file, text] : mending.plan.files)
        std::ofstream(file, std::ios::binary) << text;
      again.insert(again.end(), mending.files.begin(), mending.files.end());
    }
    const Pipeline mended = lower_in_project(again);
    for (auto& [name, mending] : *all) {
      if (mending.plan.files.empty()) continue;
      for (const std::string& file : mending.files) {
        const findings::FileReport& report = mended.report_of(file);
        EXPECT_EQ(report.status, findings::Understanding::kFully) << report.first_error;
      }
      mending.after = mended.judge(mending.files, fixture_options(mending.parts));
    }
    // The tests of this program are run in any order.
    for (const auto& [name, mending] : *all) {
      for (const auto& [file, text] : mending.plan.files)
        fs::copy_file(fs::path(kTestdata) / fs::path(file).lexically_relative(fixtures_root()),
                      file, fs::copy_options::overwrite_existing);
    }
    return all;
  }();
  return *kMendings;
}

std::string diff_text(const Mending& mending) {
  std::string text;
  for (const auto& [file, fixed] : mending.plan.files) text += file + ":\n" + fixed + "\n";
  for (const Finding& each : mending.after)
    text += std::to_string(each.range.line) + ": " + each.message + " [" + each.rule + "]\n";
  return text;
}

// Programs that do with their transfers what they should not: moved at last, one tensor meets
// another that the program leaves, or puts, elsewhere.
const std::set<std::string> kWrongTransfers = {"discarded-transfer/expressions.cc",
                                               "discarded-transfer/statement.cc"};

// Programs with more mistakes than findings: where one is mended, the next one is found.
const std::set<std::string> kSeveralMistakes = {"held-out-placement/command_line_trainer_bad.cc",
                                                "held-out-placement/sensor_context_fusion_bad.cc",
                                                "held-out-training/image_mean_teacher_bad.cc",
                                                "held-out-training/sharded_confusion_matrix_bad.cc",
                                                "held-out-training/two_gpu_gan_bad.cc"};

TEST(FixedFixtures, NoFixBringsANewFinding) {
  for (const auto& [name, mending] : mendings()) {
    if (mending.plan.files.empty() || kWrongTransfers.count(name) != 0) continue;
    const auto before = count_by_row(mending.before.findings);
    for (const auto& [row, count] : count_by_row(mending.after)) {
      const auto known = before.find(row);
      EXPECT_LE(count, known == before.end() ? 0 : known->second) << name << ": " << row << "\n"
                                                                  << diff_text(mending);
    }
  }
}

TEST(FixedFixtures, WhatIsFixedIsGone) {
  std::map<std::string, Counts> rows;
  for (const auto& [name, mending] : mendings()) {
    for (const Finding& each : mending.before.findings) {
      Counts& row = rows[row_of(each)];
      ++row.findings;
      row.with_fix += !each.fix_its.empty();
    }
    std::vector<Finding> applied;
    for (const Finding* each : mending.plan.applied) applied.push_back(*each);
    auto before = count_by_row(mending.before.findings);
    auto after = count_by_row(mending.after);
    for (const auto& [row, count] : count_by_row(applied)) {
      const size_t gone = before[row] - std::min(before[row], after[row]);
      rows[row].applied += count;
      rows[row].mended += std::min(gone, count);
      if (kSeveralMistakes.contains(name)) continue;
      EXPECT_GE(gone, count) << name << ": " << row << "\n" << diff_text(mending);
    }
  }
  std::string text = "rule                                findings  with-fix  applied  mended\n";
  for (const auto& [row, counts] : rows)
    text += llvm::formatv("{0,-36}{1,8}{2,10}{3,9}{4,8}\n", row, counts.findings, counts.with_fix,
                          counts.applied, counts.mended);
  EXPECT_EQ(text, text_of(kGolden)) << "the golden file is not what was found:\n" << text;
}

}  // namespace
}  // namespace placecheck::checks
