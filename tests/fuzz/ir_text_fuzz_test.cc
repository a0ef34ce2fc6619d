// The fuzzer's entry point over a seed and thousands of its mutants, the same ones in every run.
#include <gtest/gtest.h>

#include <string>

#include "analyzer/ir/parse.h"
#include "tests/fuzz/entry.h"
#include "tests/fuzz/mutator.h"
#include "tests/ir/sample.h"

namespace placecheck::fuzz {
namespace {

constexpr std::string_view kWords[] = {
    "%0",          "bb1:",        "{",   "}",          "(",         ")",      "<",        ">",
    ",",           ":",           "=",   "!0:1:1-1:2", "->",        "\"",     "\\",       "\n",
    "func",        "slot x: int", "ref", "loop",       "const -1",  "return", "pointer<", "\xff",
    "99999999999", "@g",          "#",   "jump bb0",   "key \"k\"", "%_"};

TEST(IrTextFuzz, TheSeedIsSound) { EXPECT_EQ(check(std::string(ir::kEverything)), ""); }

TEST(IrTextFuzz, Mutants) {
  Mutator mutator(2024, kWords);
  size_t parsed = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string text = mutator.mutant(ir::kEverything);
    ASSERT_EQ(check(text), "") << text;
    parsed += ir::parse(text).ok();
  }
  // Mutants that no longer parse say little about the printer.
  EXPECT_GT(parsed, 500u);
}

TEST(IrTextFuzz, ShortNoise) {
  Mutator mutator(5, kWords);
  for (int round = 0; round < 20000; ++round) {
    std::string text = mutator.noise(12);
    ASSERT_EQ(check(text), "") << text;
  }
}

}  // namespace
}  // namespace placecheck::fuzz
