// With the caches and without, the checker understands the same.
#include <gtest/gtest.h>

#include "analyzer/bench/generate.h"
#include "analyzer/driver.h"
#include "llvm/Support/raw_ostream.h"
#include "tests/cache/folder.h"

namespace placecheck {
namespace {

std::string dump(std::vector<std::string> args) {
  args.insert(args.begin(), {"--dump-ir", "--quiet", "-j", "2"});
  std::string text;
  llvm::raw_string_ostream out(text);
  run(args, out, out);
  return text;
}

bool has_libtorch() {
  return std::filesystem::exists("/usr/include/torch/csrc/api/include/torch/torch.h");
}

TEST(AgreementTest, LibtorchProgramsLowerToTheSameEitherWay) {
  if (!has_libtorch()) GTEST_SKIP() << "no libtorch in /usr/include";
  TemporaryFolder folder;
  for (unsigned number : {0u, 255u})
    folder.write("sources/train" + std::to_string(number) + ".cpp",
                 bench::training_program(number));
  std::string sources = folder.path("sources");
  std::string cache = "--cache-dir=" + folder.path("cache");
  std::string plain = dump({"--no-cache", sources});
  EXPECT_NE(plain.find("nll_loss"), std::string::npos);
  EXPECT_TRUE(folder.files("/cache/").empty());
  EXPECT_EQ(dump({cache, sources}), plain);
  EXPECT_EQ(folder.files("/headers/").size(), 1u) << "one header for both include lists";
  EXPECT_EQ(folder.files("/units/").size(), 2u);
  EXPECT_EQ(dump({cache, sources}), plain);
  EXPECT_EQ(folder.files("/headers/").size(), 1u);
}

TEST(AgreementTest, SolvesOnlyTheProgramsThatHaveChanged) {
  TemporaryFolder folder;
  auto program = [](const std::string& device) {
    return "import torch\na = torch.ones(2, device='cpu')\nb = torch.ones(2, device='" + device +
           "')\nc = a + b\n";
  };
  folder.write("sources/one.py", program("cuda"));
  folder.write("sources/two.py", program("cpu"));
  auto report = [&](const std::string& option) {
    std::string text;
    llvm::raw_string_ostream out(text);
    run({"--quiet", option, folder.path("sources")}, out, out);
    return text;
  };
  const std::string cache = "--cache-dir=" + folder.path("cache");
  const std::string plain = report("--no-cache");
  EXPECT_NE(plain.find("one.py:4"), std::string::npos) << plain;
  EXPECT_EQ(report(cache), plain);
  const std::vector<std::string> kept = folder.files("/programs/");
  EXPECT_EQ(kept.size(), 2u);
  EXPECT_EQ(report(cache), plain);
  EXPECT_EQ(folder.files("/programs/").size(), 2u);
  folder.write("sources/two.py", program("cuda"));
  const std::string changed = report(cache);
  EXPECT_EQ(changed, report("--no-cache"));
  EXPECT_NE(changed.find("two.py:4"), std::string::npos) << changed;
  EXPECT_EQ(folder.files("/programs/").size(), 3u);
}

TEST(AgreementTest, ClearingNeedsNoPath) {
  TemporaryFolder folder;
  folder.write("sources/a.cpp", "int x;\n");
  std::string cache = "--cache-dir=" + folder.path("cache");
  dump({cache, folder.path("sources")});
  EXPECT_EQ(folder.files("/units/").size(), 1u);
  std::string said;
  llvm::raw_string_ostream out(said);
  EXPECT_EQ(run({cache, "--clear-cache"}, out, out), 0);
  EXPECT_EQ(said, "");
  EXPECT_TRUE(folder.files("/cache/").empty());
}

}  // namespace
}  // namespace placecheck
