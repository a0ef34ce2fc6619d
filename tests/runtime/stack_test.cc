// Stacks of reports: names and lines of the callers.
#include "runtime/core/stack.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace placecheck::core {

[[gnu::noinline]] std::string outer_function_of_the_test() { return "\n" + stack_text(); }

namespace {

#if __has_include(<backtrace.h>)
TEST(Stack, NamesTheCallersWithTheirLines) {
  const std::string text = outer_function_of_the_test();
  const auto at = text.find("\n  in placecheck::core::outer_function_of_the_test");
  ASSERT_NE(at, std::string::npos) << text;
  const std::string line = text.substr(at + 1, text.find('\n', at + 1) - at - 1);
  EXPECT_NE(line.find("stack_test.cc:11 ("), std::string::npos) << line;
  EXPECT_NE(text.find("NamesTheCallersWithTheirLines"), std::string::npos) << text;
}
#endif

#if __has_include(<backtrace.h>)
[[gnu::noinline]] StackAddresses captured() {
  StackAddresses stack;
  stack.capture();
  return stack;
}

TEST(Stack, TwoStacksPartAtOneLineOrAtTwo) {
  const StackAddresses first = captured(), beside = captured();
  const StackAddresses below = captured();
  EXPECT_NE(first.common_line(beside).find("stack_test.cc:"), std::string::npos);
  EXPECT_EQ(first.common_line(below), "");
}
#endif

TEST(Stack, WithoutSymbolsThereAreOffsets) {
  setenv("PLACECHECK_SYMBOLS", "0", 1);
  const std::string text = outer_function_of_the_test();
  unsetenv("PLACECHECK_SYMBOLS");
  EXPECT_EQ(text.find("  in "), std::string::npos) << text;
  EXPECT_NE(text.find("stack_test+0x"), std::string::npos) << text;
}

}  // namespace
}  // namespace placecheck::core
