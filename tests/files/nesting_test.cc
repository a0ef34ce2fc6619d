#include "analyzer/files/nesting.h"

#include <gtest/gtest.h>

#include <string>

namespace placecheck::files {
namespace {

std::string repeated(const std::string& text, size_t count) {
  std::string all;
  for (size_t i = 0; i < count; ++i) all += text;
  return all;
}

TEST(NestingTest, OfJson) {
  EXPECT_EQ(json_nesting(""), 0u);
  EXPECT_EQ(json_nesting("7"), 0u);
  EXPECT_EQ(json_nesting(R"([{"a": [1]}, {}])"), 3u);
  EXPECT_EQ(json_nesting(R"(["[[[", "\"[[", "\\"])"), 1u);
  EXPECT_EQ(json_nesting("]]][[]"), 2u);
  EXPECT_EQ(json_nesting(repeated("[", 40'000)), 40'000u);
  EXPECT_EQ(json_nesting(repeated("[]", 40'000)), 1u);
}

TEST(NestingTest, OfYaml) {
  EXPECT_EQ(yaml_nesting("rules: [a, b]\nexclude:\n  - third_party/**\n"), 3u);
  EXPECT_LE(yaml_nesting(repeated("- a\n", 40'000)), 1u);
  EXPECT_GE(yaml_nesting(repeated("- ", 1'000)), 999u);
  EXPECT_GE(yaml_nesting("a: " + repeated("[", 1'000)), 1'000u);
  EXPECT_GE(yaml_nesting(repeated("? ", 1'000) + "x"), 1'000u);
  std::string deeper;
  for (size_t i = 0; i < 300; ++i) deeper += std::string(i, ' ') + "a:\n";
  EXPECT_GT(yaml_nesting(deeper), kMaxNesting);
}

}  // namespace
}  // namespace placecheck::files
