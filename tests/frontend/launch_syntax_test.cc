#include "analyzer/frontend/clang/launch_syntax.h"

#include <gtest/gtest.h>

namespace placecheck::frontend {
namespace {

std::string plain(llvm::StringRef text) { return with_plain_launches(text).value_or("as it is"); }

TEST(LaunchSyntax, BracedListsBecomeWhatConvertsToADim3) {
  EXPECT_EQ(plain("f<<<{8, 8, 1}, {x, 1}, 0, s>>>(a);"), "f<<<(8, 8, 1), (x, 1), 0, s>>>(a);");
  EXPECT_EQ(plain("f<4><<<grid, {n / 32, 1}>>>({1, 2});"), "f<4><<<grid, (n / 32, 1)>>>({1, 2});");
}

TEST(LaunchSyntax, BracketsAreDrawnTogether) {
  EXPECT_EQ(plain("f << <1, 2 >> > (a);"), "f <<< 1, 2 >>>  (a);");
  EXPECT_EQ(plain("f<<\n<1, 2>>>(a);"), "f<<<\n1, 2>>>(a);");
}

TEST(LaunchSyntax, WhatClangTakesStaysAsItIs) {
  EXPECT_EQ(plain("f<<<dim3{8, 8}, 1>>>(a);"), "as it is");
  EXPECT_EQ(plain("f<<<g(1, {2}), 1>>>(a);"), "as it is");
  EXPECT_EQ(plain("std::vector<std::array<pair<A<int>> >> v; a << b;"), "as it is");
  EXPECT_EQ(plain("// f<<<{1}, 2>>>()\nprintf(\"<<<{1, 2}, 1>>>\"); x << 1;"), "as it is");
  EXPECT_EQ(plain("int a = 1 << 2; if (a << 1 > 2) { }"), "as it is");
  EXPECT_EQ(plain("f<<<{1, 2}"), "as it is");
}

}  // namespace
}  // namespace placecheck::frontend
