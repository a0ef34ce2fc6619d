// A hundred random programs on virtual GPUs: the checker claims nothing of one that runs to its end
// for every choice of its inputs, and finds most of the others. More of them: see survey.cc.
#include <gtest/gtest.h>

#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "tests/random_programs/execution.h"
#include "tests/random_programs/judgement.h"
#include "tests/random_programs/sample.h"

namespace placecheck::random_programs {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFolder = "tests/random_programs/";

std::vector<Judgement> judge_batch(std::size_t number) {
  const std::string name = "sample_" + std::to_string(number);
  const fs::path folder = fs::path(testing::TempDir()) / "random_programs";
  const auto executions =
      execute(fs::absolute(std::string(kFolder) + "runner").string(),
              fs::absolute(kFolder + name + ".so").string(), (folder / name / "runs").string());
  EXPECT_EQ(executions.size(), kProgramsOfBatch);
  if (executions.size() != kProgramsOfBatch) return {};
  return judge(sample(number), executions, (folder / name / "programs").string());
}

TEST(RandomPrograms, NothingIsFoundInThoseThatRun) {
  Counts counts;
  for (std::size_t batch = 0; batch < kSampleBatches; ++batch) {
    for (const Judgement& judgement : judge_batch(batch)) {
      counts.add(judgement);
      EXPECT_FALSE(judgement.is_false_alarm()) << text_of(judgement);
    }
  }
  std::cout << counts.text();
  EXPECT_EQ(static_cast<std::size_t>(counts.programs), kSampleBatches * kProgramsOfBatch);
  // Else the programs say little, one way or the other.
  EXPECT_GE(counts.failing, counts.programs / 4);
  EXPECT_LE(counts.failing, 3 * counts.programs / 4);
  EXPECT_GE(counts.found, counts.failing / 2);
}

TEST(RandomPrograms, AreTheSameForASeed) {
  for (const Program& program : generate_all(kSampleSeed, 3)) {
    EXPECT_FALSE(program.runs.empty());
    const std::uint64_t seed = kSampleSeed * 1'000'003 + std::stoul(program.name.substr(8));
    EXPECT_EQ(program.files.back().text, generate(program.name, seed).files.back().text);
  }
}

}  // namespace
}  // namespace placecheck::random_programs
