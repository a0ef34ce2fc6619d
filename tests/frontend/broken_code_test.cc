// Code that does not parse, or only in part, and files that are no code.
#include <gtest/gtest.h>

#include <string>

#include "analyzer/ir/print.h"
#include "analyzer/ir/verify.h"
#include "tests/frontend/lowering.h"

namespace placecheck::frontend {
namespace {

// The function `name`, of which not all is known.
std::string partial_function(const std::string& text, const std::string& name) {
  LowerResult result = lower(text);
  const ir::Function* function = find(result.unit, name);
  if (!function) return "no function " + name;
  EXPECT_TRUE(function->is_partial);
  return ir::to_string(*function);
}

TEST(BrokenCodeTest, BrokenFunctionIsPartialAndTheRestIsNot) {
  LowerResult result = lower(
      "#include <missing.h>\n"
      "void broken() { nowhere(1); }\nvoid whole(torch::Tensor x) { x.cuda(); }");
  EXPECT_EQ(result.understanding, Understanding::kPartly);
  EXPECT_EQ(result.errors, 2u);
  EXPECT_NE(result.first_error.find("/project/main.cc:2: "), std::string::npos)
      << result.first_error;
  EXPECT_TRUE(find(result.unit, "broken")->is_partial);
  EXPECT_FALSE(find(result.unit, "whole")->is_partial);
}

// A member whose type did not parse makes its class invalid, and then nothing fits the class.
TEST(BrokenCodeTest, MethodsOfABrokenClassAreThoseThatTheyName) {
  LowerResult result = lower(R"(
struct Net : torch::nn::Module {
  Net() : fc(1, 2) { register_module("fc", fc); }
  torch::nn::Linear fc;
  torch::nn::Gone gone;
};
struct Moved { void to(torch::Device); void to(torch::Device, int); };
void move(torch::Device device) { Net net; net.to(device); }
void fit_none(Moved moved, torch::Device device) { moved.to(device, device); })");
  auto expect_call = [&](const char* function, const char* call) {
    std::string printed = ir::to_string(*find(result.unit, function), {.ranges = false});
    EXPECT_NE(printed.find(call), std::string::npos) << printed;
  };
  expect_call("Net::Net", "call method \"torch::nn::Module::register_module\"");
  expect_call("move", "call method \"torch::nn::Module::to\"");
  expect_call("fit_none", "ref moved");
}

// `Tensor:` is an unnamed bit-field of an impossible type, and has a constructor.
TEST(BrokenCodeTest, UnnamedMembersAreNotInitialized) {
  LowerResult result = lower(R"(
struct Net : torch::nn::Module {
  Net() { fc = register_module("fc", torch::nn::Linear(1, 2)); }
  torch::Tensor:nn::Linear());
  torch::nn::Linear fc{nullptr};
};)");
  EXPECT_EQ(ir::to_string(ir::verify(result.unit)), "");
}

// Nothing of what it was made from, which may have been moved or kept.
TEST(BrokenCodeTest, VariableWithoutATypeIsUnknown) {
  std::string text = partial_function(
      "void f() { torch::nn::Linear net(1, 2); Missing wrapper(net); wrapper.to(torch::kCUDA); }",
      "f");
  expect_in_order(text, {"store net", "call indirect \"\"", "store wrapper"});
}

TEST(BrokenCodeTest, WholeStatementDropsItsResult) {
  std::string text = partial_function("void f(torch::Tensor x) { missing(x); x.cuda(); }", "f");
  expect_in_order(text, {"call indirect \"\"", "at::Tensor::cuda", "discarded"});
}

// `y` may have been what the result is for.
TEST(BrokenCodeTest, RestOfAStatementIsUsed) {
  std::string text = partial_function("void f(torch::Tensor x) { MISSING(y) x.cuda(); }", "f");
  expect_in_order(text, {"at::Tensor::cuda"});
  EXPECT_EQ(text.find("discarded"), std::string::npos) << text;
}

TEST(BrokenCodeTest, FunctionThatIsCutOffRunsWhatIsNotKnown) {
  std::string text = partial_function("void g(); void f() { g(); if (true) {", "f");
  expect_in_order(text, {"\"g\"", "call indirect \"\""});
}

// Where a module's name is misspelt, Clang takes the holder's for it.
TEST(BrokenCodeTest, HolderOfItselfIsNoHolder) {
  lower(
      "struct Net : torch::nn::ModuleHolder<Net> {"
      "  using torch::nn::ModuleHolder<Net>::ModuleHolder;"
      "};"
      "void f() { Net net(3); }");
}

// A reference that the list says nothing of.
TEST(BrokenCodeTest, ListThatLacksAFieldIsAnswered) {
  lower(
      "struct Batch { int first; Batch f() const { return {first}; } void g(Missing, Batch& b) {}"
      " Batch& other; };");
}

// An initializer whose class did not parse has no type.
TEST(BrokenCodeTest, InitializerWithoutATypeIsAnswered) {
  LowerResult result = lower(R"(
#include <ostream>
class Consumer : protected Base, public std::ostream {
  Consumer(Severity a) : Base(f(a)), member(a) {}
  static std::string f(Severity s) { { } }
  bool member;)");
  EXPECT_FALSE(result.crashed);
  EXPECT_GT(result.errors, 0u);
}

TEST(BrokenCodeTest, OddFilesAreAnswered) {
  EXPECT_EQ(lower_files({{"/project/main.cc", ""}}).understanding, Understanding::kFull);
  EXPECT_EQ(lower_files({}).understanding, Understanding::kNone);
  std::string binary(
      "\x7f"
      "ELF\0\1\2\xff\xfe",
      10);
  EXPECT_NE(lower_files({{"/project/main.cc", binary}}).understanding, Understanding::kFull);
  lower_files({{"/project/main.cc", "// \xff\xfe\nvoid f() {}"}});
}

TEST(BrokenCodeTest, DeepNestingIsAnswered) {
  std::string parentheses =
      "int f() { return " + std::string(3000, '(') + "1" + std::string(3000, ')') + "; }";
  EXPECT_EQ(lower_files({{"/project/main.cc", parentheses}}).unit.functions.size(), 1u);
  std::string sum = "int f() { return 0";
  for (int i = 0; i < 20000; ++i) sum += "+1";
  LowerResult result = lower_files({{"/project/main.cc", sum + "; }"}});
  EXPECT_EQ(result.unit.functions.size(), 1u) << result.first_error;
}

}  // namespace
}  // namespace placecheck::frontend
