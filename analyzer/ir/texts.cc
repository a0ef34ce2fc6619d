#include "analyzer/ir/texts.h"

namespace placecheck::ir {
namespace {

using Visit = llvm::function_ref<void(std::string&)>;

void visit_type(Type& type, Visit visit) {
  visit(type.name);
  for (Type& argument : type.arguments) visit_type(argument, visit);
}

void visit_instruction(Instruction& instruction, Visit visit) {
  visit(instruction.symbol);
  if (auto* literal = std::get_if<std::string>(&instruction.literal)) visit(*literal);
  Call& call = instruction.call;
  visit(call.name);
  visit(call.key);
  for (Argument& argument : call.arguments) visit(argument.name);
  visit_type(call.type, visit);
}

void visit_function(Function& function, Visit visit) {
  visit(function.key);
  visit(function.name);
  visit(function.class_key);
  for (Parameter& parameter : function.parameters) {
    visit(parameter.name);
    visit_type(parameter.type, visit);
    visit(parameter.default_function);
  }
  for (Slot& slot : function.slots) {
    visit(slot.name);
    visit_type(slot.type, visit);
  }
  visit_type(function.result, visit);
  for (Block& block : function.blocks)
    for (Instruction& instruction : block.instructions) visit_instruction(instruction, visit);
}

void visit_class(Class& type, Visit visit) {
  visit(type.key);
  visit(type.name);
  for (Type& base : type.bases) visit_type(base, visit);
  for (Field& field : type.fields) {
    visit(field.name);
    visit_type(field.type, visit);
  }
  for (Method& method : type.methods) {
    visit(method.name);
    visit(method.key);
  }
}

}  // namespace

void for_each_text(Unit& unit, Visit visit) {
  for (std::string& file : unit.files) visit(file);
  for (Function& function : unit.functions) visit_function(function, visit);
  for (Class& type : unit.classes) visit_class(type, visit);
  for (Global& global : unit.globals) {
    visit(global.slot);
    visit(global.name);
    visit_type(global.type, visit);
    visit(global.initializer);
  }
}

}  // namespace placecheck::ir
