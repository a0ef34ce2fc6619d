// The fuzzer's entry point over every fixture and mutants of it, the same ones in every run. The
// library is a small one, so that most of a fixture means nothing to it.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>
#include <vector>

#include "tests/checks/fixtures.h"
#include "tests/fuzz/entry.h"
#include "tests/fuzz/mutator.h"

namespace placecheck::fuzz {
namespace {

constexpr int kMutantsEach = 6;

constexpr std::string_view kWords[] = {"{",
                                       "}",
                                       "(",
                                       ")",
                                       "<",
                                       ">",
                                       ";",
                                       ",",
                                       "::",
                                       "->",
                                       "...",
                                       "\"",
                                       "/*",
                                       "\xff",
                                       "\n#define torch c10\n",
                                       "template <class T> ",
                                       "template <int N> struct F : F<N + 1> {}; F<0> f;",
                                       "struct Net : Net ",
                                       "TORCH_MODULE(Net);",
                                       "torch::nn::Linear fc{nullptr};",
                                       "register_module(\"fc\", fc)",
                                       "auto f = [&, this](auto&&... all) { return f(all...); };",
                                       "for (auto& [a, b] : x) ",
                                       "while (true) ",
                                       "goto next; next:",
                                       "switch (x) { default: case 1: } ",
                                       "try { throw x; } catch (...) {} ",
                                       "x.to(torch::kCUDA)",
                                       "decltype(auto) operator()",
                                       "x<<<1, 2>>>(x)",
                                       "co_await x;",
                                       "= default;",
                                       "virtual ~Net() = 0;",
                                       "requires (sizeof(int) > 2) ",
                                       "int x[99999999]{};",
                                       "return",
                                       "0x"};

// As they are, but for the library that they include.
std::vector<std::string> seeds() {
  const std::regex includes("#include[^\n]*");
  std::vector<std::string> texts;
  for (const auto& [name, files] : checks::find_fixtures()) {
    for (const std::string& file : files) {
      std::ifstream in(std::filesystem::path(checks::kTestdata) / file);
      texts.push_back(
          std::regex_replace(std::string(std::istreambuf_iterator<char>(in), {}), includes, ""));
    }
  }
  return texts;
}

TEST(CppFuzz, MutantsOfFixtures) {
  Mutator mutator(2026, kWords);
  const std::vector<std::string> texts = seeds();
  ASSERT_GE(texts.size(), 300u);
  for (const std::string& text : texts) {
    ASSERT_EQ(check(text), "") << text;
    for (int i = 0; i < kMutantsEach; ++i) {
      std::string mutant = mutator.mutant(text);
      ASSERT_EQ(check(mutant), "") << mutant;
    }
  }
}

TEST(CppFuzz, ShortNoise) {
  Mutator mutator(7, kWords);
  for (int round = 0; round < 2000; ++round) {
    std::string text = mutator.noise(16);
    ASSERT_EQ(check(text), "") << text;
  }
}

}  // namespace
}  // namespace placecheck::fuzz
