// Parser errors: where, and what was expected.
#include "analyzer/ir/parse.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/ir/sample.h"

namespace placecheck::ir {
namespace {

std::string error_of(std::string_view text) { return parse(text).error; }

std::string error_in_body(const std::string& instruction) {
  return error_of("func \"f\" key \"k\" function () -> void {\nbb0:\n" + instruction + "\n}");
}

TEST(Parse, NothingIsAUnit) { EXPECT_TRUE(parse("").ok()); }

TEST(Parse, TopLevel) {
  EXPECT_EQ(error_of("\n  fun"), "2:3: expected 'file', 'class', 'global' or 'func'");
  EXPECT_EQ(error_of("file x"), "1:6: expected the path of a file");
  EXPECT_EQ(error_of("func \"f\" k"), "1:10: expected 'key'");
  EXPECT_EQ(error_of("func \"f\" key \"k\" fun"), "1:18: expected the kind of the function");
  EXPECT_EQ(error_of("global @x name \"x\" : tensr"), "1:22: expected a type");
  EXPECT_EQ(error_of("class \"C\" key \"C\" { x }"), "1:21: expected 'method'");
}

TEST(Parse, Instructions) {
  EXPECT_EQ(error_in_body("  lod x"), "3:3: expected an instruction");
  EXPECT_EQ(error_in_body("%0 load x"), "3:4: expected '='");
  EXPECT_EQ(error_in_body("store x"), "4:1: expected ','");
  EXPECT_EQ(error_in_body("%0 = field %1, fc"), "3:16: expected the name of a field, as a string");
  EXPECT_EQ(error_in_body("jump b1"), "3:6: expected a block, like bb0");
  EXPECT_EQ(error_in_body("exit"), "4:1: expected a slot");
  EXPECT_EQ(error_in_body("raise !0:1"), "4:1: expected ':'");
  EXPECT_EQ(error_in_body("%0 = call \"f\"()"),
            "3:11: expected 'direct', 'method', 'construct' or 'indirect'");
  EXPECT_EQ(error_in_body("%0 = call direct \"f\" (%1"), "4:1: expected ')'");
  EXPECT_EQ(error_in_body("bb2:"), "3:1: expected 'bb1:' or '}'");
}

TEST(Parse, Literals) {
  EXPECT_EQ(error_in_body("%0 = const maybe"), "3:12: expected a literal");
  EXPECT_EQ(error_in_body("%0 = const 9223372036854775808"),
            "3:12: expected a number that fits in 64 bits");
  EXPECT_EQ(error_in_body("%0 = const 1e999"), "3:12: expected a number that fits in 64 bits");
  EXPECT_EQ(error_in_body("%0 = const -true"), "3:13: expected a number");
  EXPECT_EQ(error_in_body("%0 = const \"\\q\""),
            "3:12: expected only the escapes \\\\ \\\" \\n \\xHH in a string");
  EXPECT_EQ(error_in_body("%99999999999 = const none"), "3:1: expected a register, like %0");
}

TEST(Parse, StringsEndOnTheirLine) {
  EXPECT_EQ(error_of("file \"a\nb\""), "1:6: expected the path of a file");
  EXPECT_EQ(error_of("file \"a\\"), "1:6: expected the path of a file");
  EXPECT_EQ(error_of("file \"\\x4"), "1:6: expected the path of a file");
}

TEST(Parse, DeepTypesAreRefused) {
  std::string type;
  for (int i = 0; i < 100000; ++i) type += "pointer<";
  EXPECT_EQ(error_of("global @x name \"x\" : " + type), "1:534: expected types nested less deeply");
}

// Every cut of a good text is either good or says where it ends too early.
TEST(Parse, EveryPrefix) {
  size_t refused = 0;
  for (size_t length = 0; length < kEverything.size(); ++length) {
    if (!parse(kEverything.substr(0, length)).ok()) ++refused;
  }
  EXPECT_GT(refused, kEverything.size() / 2);
}

}  // namespace
}  // namespace placecheck::ir
