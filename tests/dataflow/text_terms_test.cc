// Texts of which a part is known: each answer holds for all texts that match.
#include "analyzer/dataflow/text_terms.h"

#include <gtest/gtest.h>

namespace placecheck::dataflow {
namespace {

class TextTermsTest : public testing::Test {
 protected:
  Value literal(std::string_view text) { return Value::string(names_.intern(text)); }
  // `text` with a number behind it, as "cuda:" + std::to_string(rank) has.
  Value numbered(std::string_view text) {
    const Name number = names_.term("text", {names_.intern("rank")});
    return Value::symbol(names_.term("add", {quoted(text), number}));
  }
  Value followed_by_anything(std::string_view text) {
    return Value::symbol(names_.term("add", {quoted(text), names_.intern("suffix")}));
  }
  Value some_cuda_device() {
    return Value::symbol(names_.term(kTextOfCudaDevice, {names_.intern("join1.s2")}));
  }
  TextPattern pattern(const Value& text) { return TextPattern(text, names_); }

  Names names_;

 private:
  Name quoted(std::string_view text) { return names_.intern("'" + std::string(text) + "'"); }
};

TEST_F(TextTermsTest, LiteralsAreCompared) {
  EXPECT_EQ(pattern(literal("cpu")).equals("cpu"), true);
  EXPECT_EQ(pattern(literal("cpu")).equals("cuda"), false);
  EXPECT_EQ(pattern(literal("cuda:1")).begins_with("cuda"), true);
  EXPECT_EQ(pattern(literal("cuda")).begins_with("cuda:"), false);
  EXPECT_EQ(pattern(literal("cuda:1")).contains(":1"), true);
  EXPECT_EQ(pattern(literal("cuda:1")).contains("cpu"), false);
}

TEST_F(TextTermsTest, NumbersHaveOnlyDigits) {
  const TextPattern device = pattern(numbered("cuda:"));
  EXPECT_EQ(device.equals("cpu"), false);
  EXPECT_EQ(device.equals("cuda"), false);
  EXPECT_EQ(device.equals("cuda:"), false);
  EXPECT_EQ(device.equals("cuda:0"), std::nullopt);
  EXPECT_EQ(device.begins_with("cuda"), true);
  EXPECT_EQ(device.begins_with("cuda:x"), false);
  EXPECT_EQ(device.begins_with("cuda:0"), std::nullopt);
  EXPECT_EQ(device.contains("cpu"), false);
  EXPECT_EQ(device.contains("da:"), true);
  EXPECT_EQ(device.contains("a:1"), std::nullopt);
  EXPECT_EQ(device.beginning(), "cuda:");
}

TEST_F(TextTermsTest, WhatFollowsTheTypeOfADeviceIsANumber) {
  EXPECT_EQ(pattern(followed_by_anything("cuda:")).equals("cuda:gpu"), false);
  EXPECT_EQ(pattern(followed_by_anything("run ")).equals("run cpu"), std::nullopt);
  EXPECT_EQ(pattern(followed_by_anything("run ")).contains("cpu"), std::nullopt);
  EXPECT_EQ(pattern(followed_by_anything("run ")).equals("cpu"), false);
}

TEST_F(TextTermsTest, JoinedDevicesHaveAnIndexOrNone) {
  const TextPattern device = pattern(some_cuda_device());
  EXPECT_EQ(device.equals("cuda"), std::nullopt);
  EXPECT_EQ(device.equals("cuda:1"), std::nullopt);
  EXPECT_EQ(device.equals("cpu"), false);
  EXPECT_EQ(device.begins_with("cuda:"), std::nullopt);
  EXPECT_EQ(device.begins_with("cudax"), false);
  EXPECT_EQ(device.contains("cpu"), false);
  EXPECT_TRUE(names_cuda_device(some_cuda_device(), names_));
}

TEST_F(TextTermsTest, NothingIsKnownOfOtherTexts) {
  const TextPattern text = pattern(Value::symbol(names_.intern("args.device")));
  EXPECT_EQ(text.equals("cpu"), std::nullopt);
  EXPECT_EQ(text.begins_with("cuda"), std::nullopt);
  EXPECT_EQ(text.contains("cuda"), std::nullopt);
  EXPECT_EQ(text.beginning(), "");
  EXPECT_FALSE(names_cuda_device(Value::symbol(names_.intern("args.device")), names_));
  EXPECT_FALSE(names_cuda_device(literal("cpu"), names_));
  EXPECT_TRUE(names_cuda_device(literal("cuda:1"), names_));
}

}  // namespace
}  // namespace placecheck::dataflow
