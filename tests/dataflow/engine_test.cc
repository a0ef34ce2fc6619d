// The interpreter on programs in IR text: what is known after branches, loops, calls and budgets.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "analyzer/dataflow/roots.h"
#include "tests/dataflow/marked_ir.h"

namespace placecheck::dataflow {
namespace {

// A function body, and in front of it what all of them need: two tensors of rank 2, `a` on the CPU
// and `b` on a card.
std::string program(const std::string& body, const std::string& slots = "",
                    const std::string& others = "") {
  return others +
         R"(func "main" key "main" function entry (argc: int) -> int {
  slot argc: int
  slot a: tensor
  slot b: tensor
)" + slots +
         R"(bb0:
  %90 = const 2
  %91 = call direct "list"(%90, %90) -> container<int>
  %92 = call direct "torch::ones"(%91) -> tensor
  store a, %92
  %93 = const device "cuda:0"
  %94 = call direct "torch::ones"(%91, %93) -> tensor
  store b, %94
)" + body +
         "}\n";
}

// Adds `a` and `b` where they are; marked or not.
const char kAddMismatched[] = R"(  %80 = load a
  %81 = load b
  %82 = call direct "at::operator+"(%80, %81) -> tensor  # expect: device-mismatch
  return
)";
const char kAdd[] = R"(  %80 = load a
  %81 = load b
  %82 = call direct "at::operator+"(%80, %81) -> tensor
  return
)";

const char kMoveA[] = R"(  %1 = load a
  %2 = const device "cuda:0"
  %3 = call method "at::Tensor::to"(%1, %2) -> tensor
  store a, %3
)";

TEST(EngineTest, ValuesOnTwoDevicesDoNotMeet) { expect_marks(program(kAddMismatched)); }

TEST(EngineTest, MovedValuesMeet) { expect_marks(program(std::string(kMoveA) + kAdd)); }

TEST(EngineTest, OneCardIsNotTheOther) {
  expect_marks(program(std::string(R"(  %1 = load a
  %2 = const device "cuda:1"
  %3 = call method "at::Tensor::to"(%1, %2) -> tensor
  store a, %3
)") + kAddMismatched));
}

TEST(EngineTest, NothingIsSaidOfWhatIsUnknown) {
  expect_marks(program(std::string(R"(  %1 = call direct "somewhere"() -> tensor
  store a, %1
)") + kAdd));
}

TEST(EngineTest, VariableOfAnotherFileHasOneValue) {
  const std::string asked_twice = R"(  %1 = load "@flag"
  branch %1, bb1, bb2
bb1:
  %2 = load a
  %3 = const device "cuda:0"
  %4 = call method "at::Tensor::to"(%2, %3) -> tensor
  store a, %4
  jump bb2
bb2:
  %5 = load "@flag"
  branch %5, bb3, bb4
bb3:
)" + std::string(kAdd) + "bb4:\n  return\n";
  expect_marks(program(asked_twice, "", "global \"@flag\" name \"flag\" : bool\n"));
}

TEST(EngineTest, UnknownCallForgetsWhatItMayChange) {
  expect_marks(program(std::string(R"(  %1 = ref a
  %2 = call direct "somewhere"(%1) -> void discarded
)") + kAdd));
}

// A stream of the first device, and a launch on it with the second one current.
std::string launch_after(const std::string& between, const std::string& mark) {
  return R"(func "main" key "main" function entry () -> int {
  slot stream: pointer<record "CUstream_st">
bb0:
  %0 = const 0
  %1 = call direct "cudaSetDevice"(%0) -> int discarded
  %2 = ref stream
  %3 = call direct "cudaStreamCreate"(%2) -> int discarded
  %4 = const 1
  %5 = call direct "cudaSetDevice"(%4) -> int
)" + between +
         R"(  %20 = load stream
  %21 = call direct "launch"(stream: %20) -> void discarded)" +
         mark + "\n  return\n}\n";
}

TEST(EngineTest, CodeThatIsNotKnownMaySelectADevice) {
  expect_marks(launch_after("", "  # expect: cuda-current-device"));
  expect_marks(
      launch_after("  %10 = call direct \"select\" key \"select\"() -> void discarded\n", ""));
  expect_marks(launch_after("  %10 = call direct \"\"()\n  %11 = call indirect \"\"(%10)\n", ""));
}

TEST(EngineTest, CheckOfAStatusSelectsNoDevice) {
  expect_marks(launch_after("  %10 = call direct \"check\" key \"check\"(%5) -> void discarded\n",
                            "  # expect: cuda-current-device"));
}

TEST(EngineTest, LibraryCallSelectsNoDevice) {
  expect_marks(launch_after("  %10 = call direct \"somewhere\"() -> void discarded\n",
                            "  # expect: cuda-current-device"));
}

TEST(EngineTest, UnknownCallLeavesWhatItIsNotGiven) {
  expect_marks(program(std::string(R"(  %2 = call direct "somewhere"() -> void discarded
)") + kAddMismatched));
}

// Moves `a` under a condition of the program's argument, then goes on in bb2.
const char kMoveAUnderCondition[] = R"(  %1 = load argc
  %2 = const 1
  %3 = call direct "op.gt"(%1, %2) -> bool
  store use, %3
  %4 = load use
  branch %4, bb1, bb2
bb1:
  %5 = load a
  %6 = const device "cuda:0"
  %7 = call method "at::Tensor::to"(%5, %6) -> tensor
  store a, %7
  jump bb2
bb2:
)";

TEST(EngineTest, SameGuardCorrelates) {
  expect_marks(program(std::string(kMoveAUnderCondition) + R"(  %8 = load use
  branch %8, bb3, bb4
bb3:
)" + kAdd + "bb4:\n  return\n",
                       "  slot use: bool\n"));
}

TEST(EngineTest, OppositeGuardCorrelates) {
  expect_marks(program(std::string(kMoveAUnderCondition) + R"(  %8 = load use
  branch %8, bb4, bb3
bb3:
)" + kAddMismatched + "bb4:\n  return\n",
                       "  slot use: bool\n"));
}

TEST(EngineTest, NegatedGuardIsItsOpposite) {
  expect_marks(program(std::string(kMoveAUnderCondition) + R"(  %8 = load use
  %9 = call direct "op.not"(%8) -> bool
  branch %9, bb4, bb3
bb3:
)" + kAdd + "bb4:\n  return\n",
                       "  slot use: bool\n"));
}

TEST(EngineTest, KnownConditionTakesOneWay) {
  expect_marks(program(std::string("  %1 = const false\n  branch %1, bb1, bb2\nbb1:\n") + kAdd +
                       "bb2:\n  return\n"));
}

// A loop around `body` (bb2), then `after` (bb3).
std::string loop(const std::string& body, const std::string& after) {
  return program(R"(  %1 = const 0
  store i, %1
  %0 = const false
  store done, %0
  jump bb1
bb1:
  %2 = load i
  %3 = load argc
  %4 = call direct "op.lt"(%2, %3) -> bool
  branch %4, bb2, bb3 loop
bb2:
  %5 = load i
  %6 = const 1
  %7 = call direct "op.add"(%5, %6) -> int
  store i, %7
)" + body + "  jump bb1\nbb3:\n" +
                     after,
                 "  slot i: int\n  slot done: bool\n");
}

TEST(EngineTest, LoopConvergesWithoutTheBudget) {
  Judged judged = judge(loop("", kAdd));
  EXPECT_TRUE(judged.coverage.too_large.empty());
  EXPECT_EQ(judged.found.size(), 1u);
}

TEST(EngineTest, MoveInLoopHoldsBehindIt) {
  expect_marks(loop(R"(  %8 = load a
  %9 = const device "cuda:0"
  %10 = call method "at::Tensor::to"(%8, %9) -> tensor
  store a, %10
)",
                    kAdd));
}

TEST(EngineTest, SecondTurnSeesWhatTheFirstDid) {
  expect_marks(loop(R"(  %8 = load a
  %9 = load a
  %10 = call direct "at::operator+"(%8, %9) -> tensor
  %11 = load b
  %12 = load b
  %13 = call direct "at::operator+"(%11, %12) -> tensor
  %14 = const device "cuda:1"
  %15 = call method "at::Tensor::to"(%11, %14) -> tensor
  %16 = call direct "at::operator+"(%11, %15) -> tensor  # expect: device-mismatch
)",
                    "  return\n"));
}

// A loop of so many iterations, in each of which `a`, moved at the end, meets `c` on the CPU.
std::string loop_that_moves(const std::string& iterations, const std::string& mark) {
  return program(R"(  %0 = load a
  store c, %0
  %1 = const 0
  store i, %1
  jump bb1
bb1:
  %2 = load i
  %3 = const )" + iterations +
                     R"(
  %4 = call direct "op.lt"(%2, %3) -> bool
  branch %4, bb2, bb3 loop
bb2:
  %5 = load a
  %6 = load c
  %7 = call direct "at::operator+"(%5, %6) -> tensor)" +
                     mark + R"(
  %8 = const device "cuda:0"
  %9 = call method "at::Tensor::to"(%5, %8) -> tensor
  store a, %9
  %10 = load i
  %11 = const 1
  %12 = call direct "op.add"(%10, %11) -> int
  store i, %12
  jump bb1
bb3:
  return
)",
                 "  slot i: int\n  slot c: tensor\n");
}

TEST(EngineTest, ALoopOfOneIterationHasNoSecond) {
  expect_marks(loop_that_moves("1", ""));
  expect_marks(loop_that_moves("2", "  # expect: device-mismatch"));
}

TEST(EngineTest, AnEmptyListHasNoIterations) {
  expect_marks(program(R"(  %1 = call direct "list"() -> container<tensor>
  store l, %1
  %2 = ref l
  %3 = call direct "loop.begin"(%2) -> int
  store turn, %3
  jump bb1
bb1:
  %4 = ref l
  %5 = load turn
  %6 = call direct "loop.more"(%4, %5) -> bool
  branch %6, bb2, bb3 loop
bb2:
  %7 = load a
  %8 = load b
  %9 = call direct "at::operator+"(%7, %8) -> tensor
  %10 = load turn
  %11 = call direct "loop.next"(%10) -> int
  store turn, %11
  jump bb1
bb3:
  return
)",
                       "  slot l: container<tensor>\n  slot turn: int\n"));
}

// `both = argc > 1 && argc > asked;` and then, where that is true, the second part once more.
std::string conjunction(const std::string& then, const std::string& otherwise) {
  return program(R"(  %1 = load argc
  %2 = const 1
  %3 = call direct "op.gt"(%1, %2) -> bool
  store both, %3
  %4 = load both
  branch %4, bb1, bb2
bb1:
  %5 = load "@flag"
  store both, %5
  jump bb2
bb2:
  %6 = load both
  branch %6, bb3, bb5
bb3:
  %7 = load "@flag"
  branch %7, )" + then +
                     ", " + otherwise + "\nbb4:\n" + kAdd + "bb5:\n  return\n",
                 "  slot both: bool\n", "global \"@flag\" name \"flag\" : bool\n");
}

TEST(EngineTest, AConjunctionIsTrueWhereBothPartsAre) {
  expect_marks(conjunction("bb5", "bb4"));
  EXPECT_EQ(judge(conjunction("bb4", "bb5")).found.size(), 1u);
}

// A flag that each iteration sets; behind the loop, where it is not set, both tensors meet.
TEST(EngineTest, AFlagThatALoopSetsIsSetBehindIt) {
  expect_marks(loop(R"(  %8 = const true
  store done, %8
)",
                    "  %20 = load done\n  branch %20, bb5, bb4\nbb4:\n" + std::string(kAdd) +
                        "bb5:\n  return\n"));
}

TEST(EngineTest, LoopThatNeverEndsEnds) {
  Judged judged = judge(program("  jump bb1\nbb1:\n  jump bb1\n"));
  EXPECT_EQ(judged.found, Lines());
}

const char kIdentity[] = R"(func "same" key "same" function (x: tensor) -> tensor {
  slot x: tensor
bb0:
  %0 = load x
  return %0
}
)";

TEST(EngineTest, CallReturnsItsArgument) {
  expect_marks(program(std::string(R"(  %1 = load a
  %2 = call direct "same" key "same" (%1) -> tensor
  store a, %2
)") + kAddMismatched,
                       "", kIdentity));
}

TEST(EngineTest, EachCallSiteHasItsOwnOutcome) {
  expect_marks(program(R"(  %1 = load a
  %2 = call direct "same" key "same" (%1) -> tensor
  %3 = load b
  %4 = call direct "same" key "same" (%3) -> tensor
  %5 = call direct "at::operator+"(%1, %2) -> tensor
  %6 = call direct "at::operator+"(%3, %4) -> tensor
  %7 = call direct "at::operator+"(%2, %4) -> tensor  # expect: device-mismatch
  return
)",
                       "", kIdentity));
}

TEST(EngineTest, CallThroughReferenceMovesTheCallersValue) {
  expect_marks(program(std::string(R"(  %1 = ref a
  %2 = call direct "move" key "move" (%1) -> void discarded
)") + kAdd,
                       "", R"(func "move" key "move" function (x: tensor ref) -> void {
  slot x: tensor
bb0:
  %0 = load x
  %1 = const device "cuda:0"
  %2 = call method "at::Tensor::to"(%0, %1) -> tensor
  store x, %2
  return
}
)"));
}

TEST(EngineTest, RecursionEnds) {
  Judged judged = judge(program(std::string(R"(  %1 = load a
  %2 = call direct "again" key "again" (%1) -> tensor
  store a, %2
)") + kAdd,
                                "", R"(func "again" key "again" function (x: tensor) -> tensor {
  slot x: tensor
bb0:
  %0 = load x
  %1 = call direct "again" key "again" (%0) -> tensor
  return %1
}
)"));
  EXPECT_EQ(judged.found, Lines());
}

// As the sums over a segment tree: each call makes two, for nodes that have larger numbers.
std::string recursion_with(const std::string& operation, const std::string& amount) {
  std::string calls = "  %1 = load n\n  %2 = const " + amount + "\n  %3 = call direct \"" +
                      operation + "\"(%1, %2) -> int\n  %4 = const 1\n" +
                      "  %5 = call direct \"op.add\"(%3, %4) -> int\n";
  return program(std::string(R"(  %1 = const 1
  %2 = call direct "tree" key "tree" (%1) -> int
)") + kAdd,
                 "", R"(func "tree" key "tree" function (n: int) -> int {
  slot n: int
bb0:
  %0 = call direct "somewhere"() -> bool
  branch %0, bb1, bb2
bb1:
)" + calls + R"(  %6 = call direct "tree" key "tree" (%3) -> int
  %7 = call direct "tree" key "tree" (%5) -> int
  return %7
bb2:
  %8 = load n
  return %8
}
)");
}

TEST(EngineTest, RecursionOverNumbersWithoutAnEndIsFollowedToItsEnd) {
  EXPECT_TRUE(judge(recursion_with("op.mul", "2")).coverage.too_large.empty());
  EXPECT_TRUE(judge(recursion_with("op.add", "1")).coverage.too_large.empty());
  EXPECT_TRUE(judge(recursion_with("op.add", "-100")).coverage.too_large.empty());
}

// A chain of functions, each of which calls the next one twice: 2^40 calls without summaries.
TEST(EngineTest, SummariesMakeDoublingCallsCheap) {
  std::string chain;
  for (int i = 0; i < 40; ++i) {
    std::string self = "\"f" + std::to_string(i) + "\"";
    std::string next = "\"f" + std::to_string(i + 1) + "\"";
    chain += "func " + self + " key " + self + " function (x: tensor) -> tensor {\n" +
             "  slot x: tensor\nbb0:\n  %0 = load x\n" + "  %1 = call direct " + next + " key " +
             next + " (%0) -> tensor\n  %2 = call direct " + next + " key " + next +
             " (%1) -> tensor\n  return %2\n}\n";
  }
  chain += "func \"f40\" key \"f40\" function (x: tensor) -> tensor {\n";
  chain += "  slot x: tensor\nbb0:\n  %0 = load x\n  return %0\n}\n";
  std::string text = program(std::string(R"(  %1 = load a
  %2 = call direct "f0" key "f0" (%1) -> tensor
  store a, %2
)") + kAddMismatched,
                             "", chain);
  expect_marks(text);
  EXPECT_TRUE(judge(text).coverage.too_large.empty());
}

// The budget is looked at where a function or a block begins.
TEST(EngineTest, BudgetEndsSilently) {
  std::string text = program(std::string("  jump bb1\nbb1:\n") + kAddMismatched);
  ir::ParseResult parsed = ir::parse(with_ranges(text));
  ASSERT_TRUE(parsed.ok());
  const ir::Unit* unit = &parsed.unit;
  std::vector<ir::Program> programs = ir::link({&unit, 1});
  size_t events[2] = {};
  size_t exhausted[2] = {};
  for (bool is_tight : {false, true}) {
    EngineOptions options;
    if (is_tight) options.step_budget = 3;
    Engine engine(programs.at(0), options, [&](const Event&, const View&) { ++events[is_tight]; });
    engine.run_root(*programs[0].entries().at(0), engine.initial_state(), {Value::integer(1)});
    exhausted[is_tight] = engine.coverage().too_large.size();
  }
  EXPECT_EQ(events[false], 1u);
  EXPECT_EQ(exhausted[false], 0u);
  EXPECT_EQ(events[true], 0u);
  EXPECT_GT(exhausted[true], 0u);
}

// In how many functions a budget for memory ran out.
size_t given_up_with(uint64_t memory_budget, const std::string& text) {
  ir::ParseResult parsed = ir::parse(with_ranges(text));
  EXPECT_TRUE(parsed.ok());
  const ir::Unit* unit = &parsed.unit;
  std::vector<ir::Program> programs = ir::link({&unit, 1});
  EngineOptions options;
  options.memory_budget = memory_budget;
  size_t events = 0;
  Engine engine(programs.at(0), options, [&](const Event&, const View&) { ++events; });
  engine.run_root(*programs[0].entries().at(0), engine.initial_state(), {Value::integer(1)});
  const size_t given_up = engine.coverage().too_large.size();
  EXPECT_EQ(events == 0, given_up > 0);
  return given_up;
}

// A hundred blocks, and then what shows that the end was reached. They follow one on the other, or
// are all in one loop.
std::string many_blocks(bool in_loop) {
  constexpr int kBlocks = 100;
  std::string blocks = "  jump bb1\n";
  for (int i = 1; i <= kBlocks; ++i)
    blocks += "bb" + std::to_string(i) + ":\n  jump bb" + std::to_string(i + 1) + "\n";
  const std::string condition = in_loop ? "  branch %70, bb1, bb102\n" : "  jump bb102\n";
  return program(blocks + "bb101:\n  %70 = call direct \"unknown\"() -> bool\n" + condition +
                 "bb102:\n" + kAddMismatched);
}

TEST(EngineTest, StatesToWhichNothingComesBackTakeNoMemory) {
  // A state takes more than 300 bytes for itself.
  constexpr uint64_t kSomeStates = 20'000;
  EXPECT_EQ(given_up_with(kSomeStates, many_blocks(/*in_loop=*/false)), 0u);
  EXPECT_EQ(given_up_with(kSomeStates, many_blocks(/*in_loop=*/true)), 1u);
  EXPECT_EQ(given_up_with(100 * kSomeStates, many_blocks(/*in_loop=*/true)), 0u);
}

TEST(EngineTest, PathsThatRaiseDoNotGoOn) {
  expect_marks(program(std::string(R"(  %1 = load argc
  %2 = const 1
  %3 = call direct "op.gt"(%1, %2) -> bool
  branch %3, bb1, bb2
bb1:
  %4 = load a
  %5 = const device "cuda:0"
  %6 = call method "at::Tensor::to"(%4, %5) -> tensor
  store a, %6
  jump bb3
bb2:
  raise
bb3:
)") + kAdd));
}

TEST(EngineTest, BothWaysOfABranchAreJudged) {
  expect_marks(program(std::string(kMoveAUnderCondition) + kAddMismatched, "  slot use: bool\n"));
}

// A module, on the CPU, handed to `call`; then it meets `b`.
std::string module_handed_to(const std::string& call, const std::string& last) {
  return program(R"(  %20 = const 4
  %21 = call construct "torch::nn::LinearImpl"(%20, %20) -> module "torch::nn::LinearImpl"
  store net, %21
  %22 = load net
)" + call + R"(  %24 = load net
  %25 = load b
)" + last + "  return\n",
                 "  slot net: module \"torch::nn::LinearImpl\"\n");
}

const char kForward[] =
    "  %26 = call method \"torch::nn::LinearImpl::forward\"(%24, %25) -> tensor\n";
const char kForwardMismatched[] =
    "  %26 = call method \"torch::nn::LinearImpl::forward\"(%24, %25) -> tensor"
    "  # expect: device-mismatch\n";

TEST(EngineTest, CodeOfTheProgramThatIsNotSeenMayMoveWhatItIsGiven) {
  expect_marks(
      module_handed_to("  %23 = call direct \"setup\" key \"setup\" (%22) -> void\n", kForward));
}

// A function is handed what a variable of the program leads to, and calls code that may change it.
TEST(EngineTest, CodeThatIsNotSeenMayMoveAGlobalBehindAnArgument) {
  expect_marks(program(R"(  %20 = const 4
  %21 = call construct "torch::nn::LinearImpl"(%20, %20) -> module "torch::nn::LinearImpl"
  store "@net", %21
  %22 = load "@net"
  %23 = load b
  %24 = call direct "train" key "train" (%22, %23) -> void
  return
)",
                       "", R"(global "@net" name "net" : module "torch::nn::LinearImpl"
func "train" key "train" function (net: module "torch::nn::LinearImpl", x: tensor) -> void {
  slot net: module "torch::nn::LinearImpl"
  slot x: tensor
bb0:
  %0 = call direct "setup" key "setup" () -> void
  %1 = load net
  %2 = load x
  %3 = call method "torch::nn::LinearImpl::forward"(%1, %2) -> tensor
  return
}
)"));
}

// `argv[1]` is asked twice whether it is a certain text.
TEST(EngineTest, AnArgumentOfTheProgramIsOneText) {
  const std::string asked = R"( = load argv
  %31 = const 1
  %32 = index %30, %31
  %33 = copy %32
  %34 = const "gpu"
  %35 = call direct "std::operator=="(%33, %34) -> bool
)";
  std::string text =
      program("  %30" + asked + "  branch %35, bb1, bb2\nbb1:\n" + kMoveA + "  jump bb2\nbb2:\n" +
                  "  %30" + asked + "  branch %35, bb3, bb4\nbb3:\n" + kAdd + "bb4:\n  return\n",
              "  slot argv: pointer<string>\n");
  const std::string kEntry = "entry (argc: int)";
  text.replace(text.find(kEntry), kEntry.size(), "entry (argc: int, argv: pointer<string> ref)");
  expect_marks(text);
}

TEST(EngineTest, ALibraryOfWhichNothingIsKnownMayMoveWhatItIsGiven) {
  expect_marks(
      module_handed_to("  %23 = call direct \"house::to_best_device\"(%22) -> void\n", kForward));
}

TEST(EngineTest, AModelledLibraryMovesNoModuleUnlessItsModelSaysSo) {
  expect_marks(module_handed_to("  %23 = call direct \"torch::nn::look_at\"(%22) -> void\n",
                                kForwardMismatched));
}

// `n > 0`, and then another comparison of it with a constant.
std::string compared_again(const std::string& comparison, const std::string& constant) {
  return program(
      "  %1 = load n\n  %2 = const 0\n" + std::string(R"(  %3 = call direct "op.gt"(%1, %2) -> bool
  branch %3, bb1, bb2
bb1:
  %4 = load a
  %5 = const device "cuda:0"
  %6 = call method "at::Tensor::to"(%4, %5) -> tensor
  store a, %6
  jump bb2
bb2:
  %7 = load n
)") + "  %8 = const " +
          constant + "\n  %9 = call direct \"" + comparison +
          "\"(%7, %8) -> bool\n  branch %9, bb3, bb4\nbb3:\n" + kAdd + "bb4:\n  return\n",
      "  slot n: int\n");
}

// `n` is the entry's own parameter here.
std::string with_parameter(std::string text) {
  const std::string kEntry = "entry (argc: int)";
  text.replace(text.find(kEntry), kEntry.size(), "entry (argc: int, n: int)");
  return text;
}

TEST(EngineTest, AComparisonDecidesOthersOfTheSameScalar) {
  expect_marks(with_parameter(compared_again("op.ge", "1")));
  expect_marks(with_parameter(compared_again("op.eq", "3")));
}

TEST(EngineTest, OneCallAskedOfManyConditionsStaysDecided) {
  // The first of a hundred conditions is asked again behind the last.
  std::string text = R"(  %1 = load use
  branch %1, bb1, bb2
bb1:
  %4 = load a
  %5 = const device "cuda:0"
  %6 = call method "at::Tensor::to"(%4, %5) -> tensor
  store a, %6
  jump bb2
bb2:
)";
  constexpr int kConditions = 100;
  std::string parameters = "entry (argc: int, use: bool";
  std::string slots = "  slot use: bool\n";
  for (int i = 0; i < kConditions; ++i) {
    const std::string name = "c" + std::to_string(i);
    const std::string next = std::to_string(2 * i + 4), out = std::to_string(2 * i + 3);
    parameters += ", " + name + ": bool";
    slots += "  slot " + name + ": bool\n";
    text += "  %1 = load " + name + "\n  branch %1, bb" + out + ", bb" + next + "\nbb" + out +
            ":\n  return\nbb" + next + ":\n";
  }
  const std::string end = std::to_string(2 * kConditions + 3);
  text += "  %1 = load use\n  branch %1, bb" + end + ", bb" + std::to_string(2 * kConditions + 4) +
          "\nbb" + end + ":\n" + kAdd + "bb" + std::to_string(2 * kConditions + 4) +
          ":\n  return\n";
  std::string whole = program(text, slots);
  const std::string kEntry = "entry (argc: int";
  whole.replace(whole.find(kEntry), kEntry.size(), parameters);
  expect_marks(whole);
}

// Two programs, of which the second one has a unit of its own besides, over one library.
TEST(RootOwnersTest, TheSmallestProgramOwnsWhatSeveralShare) {
  auto unit = [](const std::string& file, const std::string& text) {
    ir::ParseResult parsed = ir::parse("file \"" + file + "\"\n" + text);
    EXPECT_EQ(parsed.error, "");
    return std::move(parsed.unit);
  };
  auto calls = [](const std::string& key) {
    return "  %" + key.substr(1) + " = call direct \"" + key + "\" key \"" + key + "\" () -> int\n";
  };
  auto function = [](const std::string& key, const std::string& kind, const std::string& body) {
    return "func \"" + key + "\" key \"" + key + "\" function " + kind +
           " () -> int !0:1:1-2:2 {\nbb0:\n" + body + "  %9 = const 0\n  return %9\n}\n";
  };
  const ir::Unit large = unit("large.cc", function("main", "entry", calls("f1") + calls("f2")));
  const ir::Unit small = unit("small.cc", function("main", "entry", calls("f1")));
  const ir::Unit library = unit("library.cc", function("f1", "", ""));
  const ir::Unit other = unit("other.cc", function("f2", "", ""));
  const std::vector<const ir::Unit*> units = {&large, &small, &library, &other};
  const std::vector<ir::Program> programs = ir::link(units);
  ASSERT_EQ(programs.size(), 2u);
  const RootOwners owners(programs);
  auto is_owner = [&](size_t program, const ir::Unit& of) {
    const ir::Function& each = of.functions.front();
    return owners.owns(program, root_identity(of, each.range, each.key));
  };
  EXPECT_FALSE(is_owner(0, library));
  EXPECT_TRUE(is_owner(1, library));
  EXPECT_TRUE(is_owner(0, other));
}

// The file that defines a function is a library by itself, the smaller one, and knows of no
// registration.
TEST(RootOwnersTest, WhereAFunctionIsRegisteredItIsOwned) {
  auto unit = [](const std::string& text) {
    ir::ParseResult parsed = ir::parse(text);
    EXPECT_EQ(parsed.error, "");
    return std::move(parsed.unit);
  };
  const ir::Unit bindings = unit(
      "file \"bindings.cc\"\nfunc \"init\" key \"i@bindings.cc\" function () -> void "
      "!0:1:1-2:2 {\nbb0:\n  %0 = const \"scale\"\n  %1 = closure \"s@ops.h\"()\n"
      "  %2 = call method \"pybind11::module_::def\"(%0, %1) -> void\n  return\n}\n");
  const ir::Unit definition = unit(
      "file \"ops.cc\"\nfunc \"scale\" key \"s@ops.cc\" function () -> void !0:1:1-2:2 {\n"
      "bb0:\n  return\n}\n");
  const std::vector<const ir::Unit*> units = {&bindings, &definition};
  const std::vector<ir::Program> programs = ir::link(units);
  ASSERT_EQ(programs.size(), 2u);
  ASSERT_EQ(programs[0].units.size(), 2u);
  const RootOwners owners(programs);
  const ir::Function& scale = definition.functions.front();
  EXPECT_TRUE(owners.owns(0, root_identity(definition, scale.range, scale.key)));
  EXPECT_FALSE(owners.owns(1, root_identity(definition, scale.range, scale.key)));
}

}  // namespace
}  // namespace placecheck::dataflow
