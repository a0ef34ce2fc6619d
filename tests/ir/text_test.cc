// The text form: what is printed reads back as the same unit.
#include <gtest/gtest.h>

#include <string>

#include "analyzer/ir/opcode_table.h"
#include "analyzer/ir/print.h"
#include "analyzer/ir/serialize.h"
#include "analyzer/ir/verify.h"
#include "analyzer/ir/walk.h"
#include "tests/ir/sample.h"

namespace placecheck::ir {
namespace {

TEST(Text, RoundTripOfEverything) {
  Unit unit = unit_of(kEverything);
  EXPECT_EQ(to_string(unit), kEverything);
  // The binary form tells apart what a printer might forget and a parser might not miss.
  EXPECT_EQ(serialize(unit_of(to_string(unit))), serialize(unit));
}

TEST(Text, TheSampleIsSoundAndHasEveryOpcode) {
  Unit unit = unit_of(kEverything);
  EXPECT_EQ(to_string(verify(unit)), "");
  std::vector<int> seen(kOpcodeTable.size());
  for (const Function& function : unit.functions) {
    walk_instructions(function, [&](const Instruction& instruction, InstructionPlace) {
      ++seen[static_cast<size_t>(instruction.opcode)];
    });
  }
  for (const OpcodeRow& row : kOpcodeTable) {
    EXPECT_GT(seen[static_cast<size_t>(row.opcode)], 0) << row.word;
  }
}

TEST(Text, TableIsInTheOrderOfTheOpcodes) {
  for (size_t i = 0; i < kOpcodeTable.size(); ++i) {
    EXPECT_EQ(static_cast<size_t>(kOpcodeTable[i].opcode), i) << kOpcodeTable[i].word;
  }
  EXPECT_TRUE(is_terminator(Opcode::kRaise));
  EXPECT_FALSE(is_terminator(Opcode::kExit));
}

// Field by field, against a printer and a parser that agree on forgetting.
TEST(Text, MembersOfAFunctionAreRead) {
  Unit unit = unit_of(kEverything);
  ASSERT_EQ(unit.functions.size(), 5u);
  const Function& constructor = unit.functions[0];
  EXPECT_EQ(constructor.key, "Net::Net(int)@net.h");
  EXPECT_EQ(constructor.kind, FunctionKind::kConstructor);
  EXPECT_EQ(constructor.class_key, "Net@net.h");
  EXPECT_EQ(constructor.range, (Range{1, 5, 3, 6, 4}));
  EXPECT_EQ(constructor.parameters[1].default_function, "Net::Net(int)@net.h#1");
  const Function& forward = unit.functions[1];
  EXPECT_TRUE(forward.parameters[1].by_reference);
  EXPECT_FALSE(forward.is_exported);
  EXPECT_TRUE(forward.is_partial);
  EXPECT_EQ(unit.functions[2].captures, 1u);
  EXPECT_TRUE(unit.functions[4].is_entry);
}

TEST(Text, MembersOfInstructionsAreRead) {
  Unit unit = unit_of(kEverything);
  const auto& body = unit.functions[0].blocks[0].instructions;
  EXPECT_EQ(body[1].symbol, "fc1");
  EXPECT_EQ(body[3].call.kind, CallKind::kConstruct);
  EXPECT_EQ(body[3].call.arguments[1].name, "bias");
  EXPECT_EQ(body[3].call.arguments[0].range, (Range{1, 5, 20, 5, 25}));
  EXPECT_EQ(body[3].call.type.name, "torch::nn::Linear");
  EXPECT_TRUE(unit.functions[1].blocks[0].instructions[5].call.discarded);
  const auto& constants = unit.functions[4].blocks[0].instructions;
  EXPECT_EQ(constants[3].literal, Literal(INT64_MIN));
  EXPECT_EQ(constants[5].literal, Literal(-2.5e-300));
  EXPECT_EQ(constants[7].literal, Literal(std::string("tab\t quote\" slash\\ line\n \xff")));
  const Instruction& branch = unit.functions[4].blocks[1].instructions[1];
  EXPECT_TRUE(branch.loop);
  EXPECT_EQ(branch.targets, (std::vector<uint32_t>{2, 3}));
}

TEST(Text, RangesCanBeLeftOut) {
  std::string text = to_string(unit_of(kEverything), {.ranges = false});
  EXPECT_EQ(text.find('!'), std::string::npos);
  EXPECT_EQ(to_string(unit_of(text)), text);
}

TEST(Text, CommentsAndLayoutDoNotMatter) {
  Unit unit =
      unit_of("func \"f\" # a comment with \" and }\n key \"k\" function()->void{bb0:return}#");
  EXPECT_EQ(to_string(unit), "func \"f\" key \"k\" function () -> void {\nbb0:\n  return\n}\n");
}

TEST(Text, AReturnDoesNotTakeTheNextLine) {
  std::string text =
      "func \"f\" key \"k\" function () -> void {\nbb0:\n  return\n  %0 = const none\n}\n";
  EXPECT_EQ(to_string(unit_of(text)), text);
}

TEST(Text, PartsPrintAlone) {
  Unit unit = unit_of(kEverything);
  EXPECT_EQ(to_string(unit.functions[0].blocks[0].instructions[1]), "%1 = field %0, \"fc1\"");
  EXPECT_EQ(to_string(unit.classes[0].fields[1].type), "container<tuple<int, string>>");
  EXPECT_EQ(to_string(Literal(DeviceLiteral{"cpu"})), "device \"cpu\"");
  EXPECT_EQ(to_string(Literal(3.0)), "3.0");
}

}  // namespace
}  // namespace placecheck::ir
