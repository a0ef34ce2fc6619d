// Whole programs, on one, two and four virtual devices: what they print.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <sstream>
#include <string>

namespace placecheck::runtime {
namespace {

// What it prints, errors too, with guarded memory.
std::string output_of(const std::string& program, int devices, const char* backend = "virtual") {
  setenv("PLACECHECK_BACKEND", backend, 1);
  setenv("PLACECHECK_VIRTUAL_DEVICES", std::to_string(devices).c_str(), 1);
  setenv("PLACECHECK_VIRTUAL_GUARDS", "1", 1);
  unsetenv("CUDA_VISIBLE_DEVICES");
  std::unique_ptr<FILE, decltype(&pclose)> pipe(
      popen(("tests/runtime/" + program + " 2>&1").c_str(), "r"), &pclose);
  std::string output;
  std::array<char, 256> buffer;
  while (pipe && std::fgets(buffer.data(), buffer.size(), pipe.get())) output += buffer.data();
  return output;
}

// The number that stands behind a word at the beginning of a line.
double number(const std::string& output, const std::string& word) {
  std::istringstream lines(output);
  std::string first;
  double value = 0;
  while (lines >> first >> value) {
    if (first == word) return value;
  }
  ADD_FAILURE() << "no " << word << " in: " << output;
  return 0;
}

TEST(ProgramsTest, FooNetSeesEightAndEight) {
  EXPECT_EQ(output_of("foo_net_data_parallel", 2),
            "inside: 8\ninside: 8\noutside: [16, 3] on cuda:0\n");
}

TEST(ProgramsTest, TheBackendIsOneOfThoseThereAre) {
  auto ends_with = [](const char* backend, const std::string& text) {
    std::string output = output_of("foo_net_data_parallel", 2, backend);
    EXPECT_NE(output.find(text), std::string::npos) << output;
  };
  ends_with("metal", "PLACECHECK_BACKEND must be virtual or cuda, but is 'metal'");
  ends_with("cuda",
            "PLACECHECK_BACKEND is cuda, but there is no GPU, or the program was not linked with "
            "//runtime:runtime_cuda");
}

void expect_same_training(const std::string& program, double largest_loss) {
  std::string one = output_of(program, 1);
  EXPECT_LT(number(one, "loss"), largest_loss);
  for (int devices : {1, 2, 4}) {
    std::string first = output_of(program, devices);
    EXPECT_EQ(output_of(program, devices), first) << devices << " devices: not to the last bit";
    EXPECT_NEAR(number(first, "loss"), number(one, "loss"), 2e-3) << devices;
    EXPECT_NEAR(number(first, "parameters"), number(one, "parameters"), 2e-2) << devices;
  }
}

TEST(ProgramsTest, AnMlpTrainsAlikeOnAnyNumberOfDevices) {
  expect_same_training("mlp_on_all_devices", 0.2);
}

TEST(ProgramsTest, ACnnTrainsAlikeOnAnyNumberOfDevices) {
  expect_same_training("cnn_on_all_devices", 0.1);
  EXPECT_GE(number(output_of("cnn_on_all_devices", 2), "right"), 95);
}

}  // namespace
}  // namespace placecheck::runtime
