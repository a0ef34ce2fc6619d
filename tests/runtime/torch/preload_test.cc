// A finished program that knows nothing of this library, with and without it preloaded.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <string>

namespace {

constexpr const char* kProgram = "tests/runtime/torch/unmodified_program";
constexpr const char* kMixedProgram = "tests/runtime/torch/mixed_cuda_program";

struct Result {
  std::string output;
  int status = -1;
};

Result run(const std::string& environment, const std::string& program = kProgram) {
  const std::string command = environment + " " + program + " 2>&1";
  FILE* pipe = popen(command.c_str(), "r");  // NOLINT(bugprone-command-processor)
  if (pipe == nullptr) return {};
  Result result;
  std::array<char, 512> buffer{};
  while (std::fgets(buffer.data(), buffer.size(), pipe) != nullptr) result.output += buffer.data();
  result.status = pclose(pipe);
  return result;
}

constexpr const char* kPreload = "LD_PRELOAD=$PWD/runtime/torch/libplacecheck_torch.so ";

TEST(Preload, WithoutItThereIsNoCuda) {
  const Result result = run("");
  EXPECT_EQ(result.status, 0) << result.output;
  EXPECT_EQ(result.output, "0 devices\ntrained on cpu\n");
}

TEST(Preload, WithItThereIs) {
  const Result result = run(kPreload);
  EXPECT_EQ(result.status, 0) << result.output;
  EXPECT_EQ(result.output, "2 devices\ntrained on cuda:1\n");
}

TEST(Preload, MistakesAreRaised) {
  const Result result = run(std::string(kPreload) + "FORGET_LABELS=1");
  EXPECT_NE(result.status, 0);
  // In the order and with the words between them that each release has.
  for (const char* words : {"Expected all tensors to be on the same device, but ", "cuda:1", "cpu",
                            "target", "in method wrapper_"}) {
    EXPECT_NE(result.output.find(words), std::string::npos) << words << ": " << result.output;
  }
}

// The tensors and the CUDA runtime's calls have the same devices and memory, though neither library
// knows of the other.
TEST(Preload, TensorsAndTheCudaRuntimeShareDevices) {
  const Result result =
      run(std::string(kPreload) + "PLACECHECK_VIRTUAL_MEMORY=64MiB", kMixedProgram);
  EXPECT_EQ(result.status, 0) << result.output;
  EXPECT_NE(result.output.find("all is right"), std::string::npos) << result.output;
}

}  // namespace
