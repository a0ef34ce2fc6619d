#include "tests/oracle/readable.h"

#include <map>
#include <string_view>

#include "analyzer/ir/print.h"

namespace placecheck::oracle {
namespace {

class Reader {
 public:
  std::string read(const ir::Function& function) {
    text_ = function.name + '(';
    for (const ir::Parameter& each : function.parameters)
      text_ += (each.by_reference ? " &" : " ") + each.name + ": " + ir::to_string(each.type);
    text_ += " )\n";
    for (size_t i = 0; i < function.blocks.size(); ++i) {
      text_ += "bb" + std::to_string(i) + ":\n";
      for (const ir::Instruction& each : function.blocks[i].instructions) add(each);
    }
    return std::move(text_);
  }

 private:
  void add(const ir::Instruction& instruction) {
    std::string text = expression(instruction);
    if (instruction.result != ir::kNoRegister) values_[instruction.result] = text;
    const bool is_statement =
        instruction.result == ir::kNoRegister ||
        (instruction.opcode == ir::Opcode::kCall && instruction.call.discarded);
    if (is_statement) text_ += "  " + text + '\n';
  }

  std::string expression(const ir::Instruction& instruction) {
    auto operand = [&](size_t i) { return values_[instruction.operands[i]]; };
    switch (instruction.opcode) {
      case ir::Opcode::kConst:
        return ir::to_string(instruction.literal);
      case ir::Opcode::kLoad:
        return instruction.symbol;
      case ir::Opcode::kRef:
        return '&' + instruction.symbol;
      case ir::Opcode::kStore:
        return instruction.symbol + " = " + operand(0);
      case ir::Opcode::kBind:
        return instruction.symbol + " := " + operand(0);
      case ir::Opcode::kField:
        return operand(0) + '.' + instruction.symbol;
      case ir::Opcode::kIndex:
        return operand(0) + '[' + operand(1) + ']';
      case ir::Opcode::kAssign:
        return operand(0) + " = " + operand(1);
      case ir::Opcode::kCopy:
        return "copy(" + operand(0) + ')';
      case ir::Opcode::kCall:
        return call(instruction);
      case ir::Opcode::kClosure:
        return "closure " + instruction.symbol;
      default:
        return control(instruction);
    }
  }

  std::string call(const ir::Instruction& instruction) {
    std::string text(ir::last_component(instruction.call.name));
    text += '(';
    for (size_t i = 0; i < instruction.call.arguments.size(); ++i)
      text += (i == 0 ? "" : ", ") + values_[instruction.call.arguments[i].value];
    text += ')';
    if (!text.starts_with("op.") && !text.starts_with("list"))
      text += '@' + std::to_string(instruction.range.line);
    return text;
  }

  std::string control(const ir::Instruction& instruction) {
    std::string text;
    if (instruction.opcode == ir::Opcode::kBranch) text = "branch ";
    if (instruction.opcode == ir::Opcode::kReturn) text = "return ";
    if (instruction.opcode == ir::Opcode::kRaise) text = "raise ";
    if (!instruction.operands.empty()) text += values_[instruction.operands[0]];
    for (uint32_t target : instruction.targets) text += " -> bb" + std::to_string(target);
    return text;
  }

  std::string text_;
  std::map<ir::Register, std::string> values_;
};

}  // namespace

std::string readable(const ir::Function& function) { return Reader().read(function); }

}  // namespace placecheck::oracle
