// The fuzzer's entry point over a seed and thousands of its mutants, the same ones in every run.
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "tests/fuzz/ir_text_entry.h"
#include "tests/ir/sample.h"

namespace placecheck::ir {
namespace {

constexpr std::string_view kWords[] = {
    "%0",          "bb1:",        "{",   "}",          "(",         ")",      "<",        ">",
    ",",           ":",           "=",   "!0:1:1-1:2", "->",        "\"",     "\\",       "\n",
    "func",        "slot x: int", "ref", "loop",       "const -1",  "return", "pointer<", "\xff",
    "99999999999", "@g",          "#",   "jump bb0",   "key \"k\"", "%_"};

class Mutator {
 public:
  std::string mutant(std::string_view seed) {
    std::string text(seed);
    for (size_t changes = 1 + below(4); changes > 0; --changes) change(text);
    return text;
  }

 private:
  size_t below(size_t bound) { return bound == 0 ? 0 : random_() % bound; }

  void change(std::string& text) {
    size_t at = below(text.size());
    size_t length = below(40);
    switch (below(5)) {
      case 0:
        text.erase(at, length);
        break;
      case 1:
        text.insert(at, kWords[below(std::size(kWords))]);
        break;
      case 2:
        text.insert(below(text.size()), text.substr(at, length));
        break;
      case 3:
        text.replace(at, 1, 1, static_cast<char>(below(256)));
        break;
      default:
        text.replace(at, length, kWords[below(std::size(kWords))]);
    }
  }

  std::mt19937 random_{2024};
};

TEST(IrTextFuzz, TheSeedIsSound) { EXPECT_STREQ(check_ir_text(kEverything), ""); }

TEST(IrTextFuzz, Mutants) {
  Mutator mutator;
  size_t parsed = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string text = mutator.mutant(kEverything);
    ASSERT_STREQ(check_ir_text(text), "") << text;
    parsed += parse(text).ok();
  }
  // Mutants that no longer parse say little about the printer.
  EXPECT_GT(parsed, 500u);
}

TEST(IrTextFuzz, ShortNoise) {
  std::mt19937 random(5);
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    for (size_t words = random() % 12; words > 0; --words) {
      text += kWords[random() % std::size(kWords)];
      if (random() % 2) text += ' ';
    }
    ASSERT_STREQ(check_ir_text(text), "") << text;
  }
}

}  // namespace
}  // namespace placecheck::ir
