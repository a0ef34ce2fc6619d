// The interpreter on programs in IR text: `# expect: fails` marks what fails in some run.
#include "tests/oracle/interpreter.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "analyzer/ir/link.h"
#include "analyzer/ir/parse.h"
#include "tests/dataflow/marked_ir.h"

namespace placecheck::oracle {
namespace {

using dataflow::Lines;

Lines failures_of(const std::string& text, size_t* runs) {
  const ir::ParseResult parsed = ir::parse(dataflow::with_ranges(text));
  EXPECT_EQ(parsed.error, "");
  const ir::Unit* units[] = {&parsed.unit};
  const std::vector<ir::Program> programs = ir::link(units);
  Lines failures;
  Choices choices;
  do {
    ++*runs;
    const Run made = run(programs.at(0), choices);
    EXPECT_TRUE(made.is_whole);
    for (Line each : made.failures) failures.insert(std::to_string(each) + " fails");
  } while (choices.advance());
  return failures;
}

// `runs`: how many choices of its inputs the program has.
void expect_failures(const std::string& body, size_t runs, const std::string& parameters = "") {
  const std::string text = "func \"main\" key \"main\" function entry (" + parameters +
                           ") -> void {\n" + R"(  slot a: tensor
  slot net: module "torch::nn::LinearImpl"
  slot use: bool
bb0:
  %80 = const 2
  %81 = call direct "list"(%80, %80) -> container<int>
  %82 = call direct "torch::ones"(%81) -> tensor
  %83 = const device "cuda:1"
  %84 = call direct "torch::ones"(%81, %83) -> tensor
  %85 = call construct "torch::nn::LinearImpl"(%80, %80) -> module "torch::nn::LinearImpl"
)" + body + "  return\n}\n";
  size_t made = 0;
  EXPECT_EQ(failures_of(text, &made), dataflow::marks_of(text)) << text;
  EXPECT_EQ(made, runs);
}

TEST(InterpreterTest, TensorsOfTwoDevicesDoNotMeet) {
  // Of what fails, the result may be with either operand.
  expect_failures(R"(  %1 = call direct "at::operator+"(%82, %84) -> tensor  # expect: fails
  %2 = call direct "at::operator+"(%82, %82) -> tensor
)",
                  2);
  expect_failures(R"(  %1 = call method "at::Tensor::to"(%82, %83) -> tensor
  %2 = call direct "at::operator+"(%1, %84) -> tensor
)",
                  1);
}

TEST(InterpreterTest, AHandleOfAModuleMovesIt) {
  expect_failures(R"(  store net, %85
  %1 = load net
  %2 = call method "torch::nn::Module::to"(%1, %83) -> void discarded
  %3 = call method "torch::nn::LinearImpl::forward"(%85, %84) -> tensor
)",
                  1);
}

TEST(InterpreterTest, EveryChoiceOfAnInputIsRun) {
  expect_failures(R"(  %1 = load use
  branch %1, bb1, bb2
bb1:
  %2 = const 2
  %3 = call direct "list"(%2, %2) -> container<int>
  %4 = call direct "torch::ones"(%3) -> tensor
  %5 = const device "cuda:0"
  %6 = call method "at::Tensor::to"(%4, %5) -> tensor
  %7 = call direct "at::operator+"(%4, %6) -> tensor  # expect: fails
  jump bb2
bb2:
)",
                  3, "use: bool");
}

TEST(InterpreterTest, UnknownCodeMayMoveWhatItIsGivenAnywhereOrNot) {
  expect_failures(R"(  store a, %82
  %1 = ref a
  %2 = call direct "house::setup"(%1) -> void discarded
  %3 = load a
  %4 = call direct "at::operator+"(%3, %84) -> tensor  # expect: fails
)",
                  7);
}

}  // namespace
}  // namespace placecheck::oracle
