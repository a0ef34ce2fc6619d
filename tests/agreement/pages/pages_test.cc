// What the rules' pages say of their examples is what happens when they are run: the bad ones
// raise, with the rule and the words that the page states, or, where the page says that nothing is
// raised, end in silence with what it says comes of it; the good ones are silent.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "rules/catalog.h"
#include "rules/docs.h"

namespace placecheck::rules {
namespace {

namespace fs = std::filesystem;

struct Case {
  std::string_view program;
  // The rule whose error it is; empty where the library that is asked says it by itself, or where
  // nothing is raised.
  std::string_view raises;
  // In this order both in the error and on the page; releases differ in what is between them.
  std::vector<std::string_view> words;
  // Where nothing is raised: all of the output, and what the page says of the silence.
  std::string_view output;
  std::string_view silence;
};

constexpr std::string_view kSameDevice =
    "Expected all tensors to be on the same device, but found at least two devices, ";
constexpr std::string_view kCardAndHost = "cuda:0 and cpu!";
constexpr std::string_view kHostAndCard = "cpu and cuda:0!";
constexpr std::string_view kPlacement = "module must have its parameters and buffers on device ";

const std::vector<Case>& cases() {
  static const std::vector<Case> kCases = {
      {"cuda-current-device/bad",
       "cuda-current-device",
       {"CUDA error: an illegal memory access was encountered"},
       "",
       ""},
      {"cuda-current-device/stream",
       "cuda-current-device",
       {"CUDA error: invalid resource handle"},
       "",
       ""},
      {"cuda-memcpy-kind/bad", "cuda-memcpy-kind", {"CUDA error: invalid argument"}, "", ""},
      {"cuda-pointer-placement/bad",
       "cuda-pointer-placement",
       {"CUDA error: an illegal memory access was encountered"},
       "",
       ""},
      {"data-parallel-lost-state/bad", "", {}, "", "There is no error."},
      {"data-parallel-placement/bad",
       "data-parallel-placement",
       {kPlacement, "(device_ids[0]) but found one of them on device: "},
       "",
       ""},
      {"device-mismatch/bad",
       "device-mismatch",
       {kSameDevice, kCardAndHost, "(when checking argument for argument mat1 in method wrapper_",
        "addmm)"},
       "",
       ""},
      {"device-mismatch/convolution",
       "device-mismatch",
       {"Input type (CPUFloatType) and weight type (CUDAFloatType) should be the same"},
       "",
       ""},
      {"device-mismatch/indexing",
       "device-mismatch",
       {"indices should be either on cpu or on the same device as the indexed tensor (cpu)"},
       "",
       ""},
      {"device-mismatch/recurrent",
       "",
       {"Input and hidden tensors are not at the same device"},
       "",
       ""},
      {"discarded-transfer/bad", "device-mismatch", {kSameDevice, kCardAndHost}, "", ""},
      {"failed-placement-check/bad", "", {"the operands are on different devices"}, "", ""},
      {"generator-device/bad",
       "",
       {"Expected a 'cuda' device type for generator but found 'cpu'"},
       "",
       ""},
      {"hardcoded-device/bad", "device-mismatch", {kSameDevice, kCardAndHost}, "", ""},
      {"invalid-device/bad",
       "",
       {"Expected one of cpu, cuda, ipu, xpu, mkldnn, opengl, opencl, ideep, hip, ve, fpga, ",
        " device type at start of device string: gpu"},
       "",
       ""},
      {"invalid-device/index", "invalid-device", {"CUDA error: invalid device ordinal"}, "", ""},
      {"invalid-device/text", "", {"Invalid device string: 'cuda0'"}, "", ""},
      {"missing-key/bad", "", {"Key 'fc.weight' is not defined"}, "", ""},
      {"missing-map-location/bad", "device-mismatch", {kSameDevice, kHostAndCard}, "", ""},
      {"module-clone/bad", "", {"clone() has not been implemented for"}, "", ""},
      {"nccl-usage/bad", "nccl-usage", {"wait for each other", "the program hangs"}, "", ""},
      {"nccl-usage/twice", "nccl-usage", {"inputs must be on unique devices"}, "", ""},
      {"non-leaf-parameter/bad", "", {"can't optimize a non-leaf Tensor"}, "", ""},
      {"optimizer-state-device/bad", "device-mismatch", {kSameDevice, kCardAndHost}, "", ""},
      {"prefix-strip-anywhere/bad",
       "",
       {},
       "key weight\nkey subweight\n",
       "`submodule.weight` becomes `subweight`"},
      {"stale-optimizer/bad", "", {}, "", "There is no error."},
      {"state-dict-prefix/bad", "", {"No such serialized tensor 'weight'"}, "", ""},
      {"state-dict-silent-miss/bad", "", {}, "", "It does not fail, and that is the problem."},
      {"unregistered-state/bad",
       "",
       {},
       "",
       "given to an optimizer: it is never trained, without any error"},
      {"unregistered-state/moved", "device-mismatch", {kSameDevice, kHostAndCard}, "", ""},
      {"visible-devices/bad",
       "",
       {},
       "placecheck: CUDA_VISIBLE_DEVICES is set to '2,3' after CUDA has counted its devices: no "
       "effect [visible-devices]\ncards 4\n",
       "Set later, the variable has no effect, and no error is raised"},
      {"visible-devices/none", "", {"No CUDA GPUs are available"}, "", ""},
      {"visible-devices/physical",
       "invalid-device",
       {"CUDA error: invalid device ordinal"},
       "",
       ""},

      {"cuda-current-device/good", "", {}, "", ""},
      {"cuda-memcpy-kind/good", "", {}, "", ""},
      {"cuda-pointer-placement/good", "", {}, "", ""},
      {"data-parallel-lost-state/good", "", {}, "", ""},
      {"data-parallel-placement/good", "", {}, "[16, 2]\n", ""},
      {"device-mismatch/good", "", {}, "[16, 2]\n", ""},
      {"discarded-transfer/good", "", {}, "", ""},
      {"failed-placement-check/good", "", {}, "", ""},
      {"generator-device/good", "", {}, "", ""},
      {"hardcoded-device/good", "", {}, "", ""},
      {"invalid-device/good", "", {}, "", ""},
      {"missing-key/good", "", {}, "", ""},
      {"missing-map-location/good", "", {}, "", ""},
      {"module-clone/good", "", {}, "", ""},
      {"nccl-usage/good", "", {}, "", ""},
      {"non-leaf-parameter/good", "", {}, "", ""},
      {"optimizer-state-device/good", "", {}, "", ""},
      {"prefix-strip-anywhere/good", "", {}, "key weight\nkey submodule.weight\n", ""},
      {"stale-optimizer/good", "", {}, "", ""},
      {"state-dict-prefix/good", "", {}, "", ""},
      {"state-dict-silent-miss/good", "", {}, "", ""},
      {"unregistered-state/good", "", {}, "", ""},
      {"unregistered-state/moved-good", "", {}, "", ""},
      {"visible-devices/good", "", {}, "cards 2\n", ""},
  };
  return kCases;
}

void PrintTo(const Case& value, std::ostream* out) { *out << value.program; }

std::string_view rule_of(const Case& value) {
  return value.program.substr(0, value.program.find('/'));
}

// The page with its lines joined, so that what is wrapped can be found.
std::string page_text(std::string_view rule) {
  std::string text;
  for (const char c : page(rule)) {
    if (std::isspace(static_cast<unsigned char>(c)) == 0) {
      text += c;
    } else if (!text.ends_with(' ')) {
      text += ' ';
    }
  }
  return text;
}

bool has_in_order(std::string_view text, const std::vector<std::string_view>& words) {
  for (const std::string_view word : words) {
    const std::size_t at = text.find(word);
    if (at == std::string_view::npos) return false;
    text.remove_prefix(at + word.size());
  }
  return true;
}

// Both streams of the program, run with four cards in a folder of its own.
std::string output_of(const Case& value) {
  const bool is_cuda = page(rule_of(value)).find("```cuda") != std::string_view::npos;
  const fs::path program =
      fs::absolute("tests/agreement/pages") / (is_cuda ? "cuda_examples" : "torch_examples");
  std::string folder_name(value.program);
  std::ranges::replace(folder_name, '/', '_');
  const fs::path folder = fs::path(testing::TempDir()) / folder_name;
  fs::create_directories(folder);
  const std::string command = "cd '" + folder.string() +
                              "' && env -u CUDA_VISIBLE_DEVICES OMP_NUM_THREADS=1 "
                              "PLACECHECK_VIRTUAL_DEVICES=4 '" +
                              program.string() + "' '" + std::string(value.program) + "' 2>&1";
  FILE* pipe = popen(command.c_str(), "r");  // NOLINT(bugprone-command-processor)
  if (pipe == nullptr) return "not started";
  std::string output;
  std::array<char, 4096> buffer{};
  while (std::fgets(buffer.data(), buffer.size(), pipe) != nullptr) {
    // What virtual GPUs say of every program with a kernel is no part of an example.
    if (std::strstr(buffer.data(), "is checked, but not executed") == nullptr)
      output += buffer.data();
  }
  const bool has_ended = pclose(pipe) == 0;
  const bool has_failed = output.find("raised ") != std::string::npos;
  return has_ended || has_failed ? output : output + "(ended badly)";
}

class PagesTest : public testing::TestWithParam<Case> {};

TEST_P(PagesTest, ExampleDoesWhatThePageSays) {
  const Case& value = GetParam();
  const std::string output = output_of(value);
  const std::string text = page_text(rule_of(value));
  if (value.words.empty()) {
    EXPECT_EQ(output, value.output);
    EXPECT_NE(text.find(value.silence), std::string::npos) << "the page does not say so: " << text;
    return;
  }
  EXPECT_TRUE(has_in_order(output, value.words)) << "the run does not say so: " << output;
  EXPECT_TRUE(has_in_order(text, value.words)) << "the page does not say so: " << text;
  const std::string mark = "[" + std::string(value.raises) + "]";
  if (!value.raises.empty()) {
    EXPECT_NE(output.find(mark), std::string::npos) << output;
  }
}

INSTANTIATE_TEST_SUITE_P(Examples, PagesTest, testing::ValuesIn(cases()), [](const auto& info) {
  std::string name(info.param.program);
  std::ranges::replace_if(name, [](char c) { return c == '-' || c == '/'; }, '_');
  return name;
});

// Of these no run of the example alone tells: wrong values, what is only slow, several ranks, and
// functions that another program calls.
bool is_seen_in_source_alone(const Rule& rule) {
  constexpr std::string_view kRules[] = {"async-copy-read",       "collective-in-branch",
                                         "default-stream-launch", "leaked-current-device",
                                         "missing-device-guard",  "pageable-copy",
                                         "rank-device",           "step-synchronization",
                                         "unchecked-launch",      "unchecked-operand-device",
                                         "wrong-device-guard"};
  return std::ranges::find(kRules, rule.id) != std::end(kRules);
}

// A page whose examples are not run is one that this file does not know of.
TEST(PagesTest, EveryRuleHasBothItsExamplesHere) {
  for (const Rule& rule : catalog()) {
    if (is_seen_in_source_alone(rule)) continue;
    if (!rule.languages.cpp) continue;  // an example in Python is no C++ program
    for (const char* kind : {"/bad", "/good"}) {
      const std::string program = std::string(rule.id) + kind;
      EXPECT_EQ(std::ranges::count(cases(), program, &Case::program), 1) << program;
    }
  }
}

}  // namespace
}  // namespace placecheck::rules
