#include "analyzer/ir/ir.h"

#include <algorithm>

#include "analyzer/ir/opcode_table.h"

namespace placecheck::ir {

bool is_terminator(Opcode opcode) { return row_of(opcode).terminates; }

const Instruction* find_definition(const Block& block, Register value) {
  auto found = std::find_if(block.instructions.begin(), block.instructions.end(),
                            [&](const Instruction& each) { return each.result == value; });
  return found == block.instructions.end() ? nullptr : &*found;
}

bool is_address(Opcode opcode) {
  return opcode == Opcode::kRef || opcode == Opcode::kField || opcode == Opcode::kIndex;
}

bool is_untyped(const Call& call) {
  return call.kind == CallKind::kMethod && call.key.empty() &&
         call.name.find("::") == std::string::npos;
}

bool has_place(TypeKind kind) {
  return kind == TypeKind::kDevice || kind == TypeKind::kOptions || kind == TypeKind::kTensor ||
         kind == TypeKind::kModule;
}

std::string_view last_component(std::string_view qualified) {
  size_t at = qualified.rfind("::");
  return at == std::string_view::npos ? qualified : qualified.substr(at + 2);
}

bool is_python(std::string_view file) { return file.ends_with(".py") || file.ends_with(".ipynb"); }

}  // namespace placecheck::ir
