// One test for each invariant: a sound unit, and the change that breaks it.
#include "analyzer/ir/verify.h"

#include <gtest/gtest.h>

#include <functional>
#include <ostream>
#include <set>
#include <string>

#include "analyzer/ir/opcode_table.h"
#include "tests/ir/sample.h"

namespace placecheck::ir {
namespace {

struct Break {
  std::string_view invariant;
  std::function<void(Unit&)> change;
};

Instruction& at(Unit& unit, size_t function, size_t block, size_t index) {
  return unit.functions[function].blocks[block].instructions[index];
}

// By number in kEverything: 0 constructor, 1 method, 2 lambda, 3 initializer, 4 main.
const Break kBreaks[] = {
    {"a unit has a file", [](Unit& u) { u.files.clear(); }},
    {"function keys are unique", [](Unit& u) { u.functions[1].key = u.functions[0].key; }},
    {"function keys are unique", [](Unit& u) { u.functions[1].key.clear(); }},
    {"class keys are unique", [](Unit& u) { u.classes.push_back(u.classes[0]); }},
    {"class keys are unique", [](Unit& u) { u.classes[0].key.clear(); }},
    {"global slots are unique and begin with @", [](Unit& u) { u.globals[0].slot = "x"; }},
    {"global slots are unique and begin with @",
     [](Unit& u) { u.globals[0].slot = u.globals[1].slot; }},
    {"the files of ranges exist", [](Unit& u) { u.functions[0].range.file = 2; }},
    {"the files of ranges exist", [](Unit& u) { at(u, 0, 0, 3).call.arguments[0].range.file = 9; }},
    {"ranges run forward", [](Unit& u) { u.functions[0].range.end_line = 1; }},
    {"ranges run forward", [](Unit& u) { u.classes[0].range.column = 0; }},
    {"types are not too deep",
     [](Unit& u) {
       Type* type = &u.globals[0].type;
       for (uint32_t i = 0; i < kMaxTypeDepth; ++i) type = &type->arguments.emplace_back();
     }},
    {"no more required parameters than parameters",
     [](Unit& u) { u.classes[0].methods[0].required = 2; }},
    {"slots are unique and local", [](Unit& u) { u.functions[4].slots[3].name = "raw"; }},
    {"slots are unique and local", [](Unit& u) { u.functions[4].slots[2].name = "@raw"; }},
    {"parameters are slots", [](Unit& u) { u.functions[2].parameters[0].name = "other"; }},
    {"parameters are slots", [](Unit& u) { u.functions[2].parameters[0].name = "f"; }},
    {"captures are parameters of lambdas", [](Unit& u) { u.functions[2].captures = 3; }},
    {"captures are parameters of lambdas", [](Unit& u) { u.functions[1].captures = 1; }},
    {"methods have a class and begin with this", [](Unit& u) { u.functions[0].class_key.clear(); }},
    {"methods have a class and begin with this",
     [](Unit& u) { std::swap(u.functions[1].parameters[0], u.functions[1].parameters[1]); }},
    {"functions have a block", [](Unit& u) { u.functions[3].blocks.clear(); }},
    {"blocks end with their one terminator",
     [](Unit& u) { u.functions[3].blocks[0].instructions.pop_back(); }},
    {"blocks end with their one terminator",
     [](Unit& u) { u.functions[3].blocks[0].instructions.clear(); }},
    {"blocks end with their one terminator",
     [](Unit& u) {
       auto& instructions = u.functions[3].blocks[0].instructions;
       instructions.push_back(instructions.back());
     }},
    {"the number of targets fits the opcode", [](Unit& u) { at(u, 4, 1, 1).targets.pop_back(); }},
    {"targets exist", [](Unit& u) { at(u, 4, 1, 1).targets[0] = 5; }},
    {"the number of operands fits the opcode", [](Unit& u) { at(u, 0, 0, 1).operands.clear(); }},
    {"the number of operands fits the opcode",
     [](Unit& u) { at(u, 3, 0, 1).operands.push_back(0); }},
    {"a result where the opcode has one", [](Unit& u) { at(u, 0, 0, 4).result = 77; }},
    {"a result where the opcode has one", [](Unit& u) { at(u, 4, 0, 15).result = kNoRegister; }},
    {"registers are defined once in a block", [](Unit& u) { at(u, 4, 0, 14).result = 12; }},
    {"registers are defined before use in their block",
     [](Unit& u) { at(u, 0, 0, 1).operands[0] = 2; }},
    {"registers are defined before use in their block",
     [](Unit& u) { at(u, 4, 3, 1).operands[0] = 0; }},  // of another block
    {"registers are defined before use in their block",
     [](Unit& u) { at(u, 0, 0, 3).call.arguments[1].value = kNoRegister; }},
    {"slots are declared", [](Unit& u) { at(u, 4, 2, 0).symbol = "value.3"; }},
    {"fields and closures are named", [](Unit& u) { at(u, 0, 0, 1).symbol.clear(); }},
    {"fields and closures are named", [](Unit& u) { at(u, 4, 0, 13).symbol.clear(); }},
    {"instructions hold only what their opcode has",
     [](Unit& u) { at(u, 3, 0, 0).symbol = "stray"; }},
    {"instructions hold only what their opcode has",
     [](Unit& u) { at(u, 3, 0, 1).literal = true; }},
    {"instructions hold only what their opcode has",
     [](Unit& u) { at(u, 3, 0, 1).call.name = "stray"; }},
    {"only branches decide loops", [](Unit& u) { at(u, 4, 2, 1).loop = true; }},
    {"only addresses are taken", [](Unit& u) { at(u, 4, 2, 1).taken = true; }},
    {"calls are named", [](Unit& u) { at(u, 1, 0, 3).call.name.clear(); }},
    {"method and indirect calls have their object",
     [](Unit& u) { at(u, 2, 0, 1).call.arguments.clear(); }},
};

class EveryBreak : public ::testing::TestWithParam<size_t> {};

TEST_P(EveryBreak, IsNamedAlone) {
  const Break& each = kBreaks[GetParam()];
  Unit unit = unit_of(kEverything);
  each.change(unit);
  std::set<std::string_view> broken;
  std::string text;
  for (const Violation& violation : verify(unit)) {
    broken.insert(violation.invariant);
    text += violation.where + "\n";
  }
  EXPECT_EQ(broken.count(each.invariant), 1u) << each.invariant << "\n" << text;
  // Without files no range has one; all other changes break one thing only.
  if (!unit.files.empty()) {
    EXPECT_EQ(broken.size(), 1u) << text;
  }
}

INSTANTIATE_TEST_SUITE_P(Verify, EveryBreak, ::testing::Range<size_t>(0, std::size(kBreaks)));

TEST(Verify, EveryInvariantIsTested) {
  std::set<std::string_view> tested;
  for (const Break& each : kBreaks) tested.insert(each.invariant);
  for (const Invariant& each : invariants()) EXPECT_EQ(tested.count(each.name), 1u) << each.name;
}

TEST(Verify, SaysWhere) {
  Unit unit = unit_of(kEverything);
  at(unit, 4, 1, 1).targets[0] = 5;
  EXPECT_EQ(to_string(verify(unit)),
            "targets exist: function 'main()@train.cc', bb1, instruction 1: bb5\n");
}

TEST(Verify, DropsOnlyTheUnsoundFunctions) {
  Unit unit = unit_of(kEverything);
  EXPECT_TRUE(drop_unsound_functions(unit).empty());
  EXPECT_EQ(unit.functions.size(), 5u);
  at(unit, 4, 1, 1).targets[0] = 5;
  at(unit, 4, 2, 1).taken = true;
  EXPECT_EQ(verify(unit).size(), 2u);
  // One for each function, by which they are counted.
  EXPECT_EQ(drop_unsound_functions(unit).size(), 1u);
  ASSERT_EQ(unit.functions.size(), 4u);
  EXPECT_EQ(unit.functions[3].name, "device");
}

TEST(Verify, ACallOfNothingIsSound) {
  Unit unit = unit_of(
      "file \"a\"\nfunc \"f\" key \"k\" function () -> void {\nbb0:\n"
      "%0 = call direct \"\"()\nreturn %0\n}");
  EXPECT_EQ(to_string(verify(unit)), "");
}

}  // namespace
}  // namespace placecheck::ir
