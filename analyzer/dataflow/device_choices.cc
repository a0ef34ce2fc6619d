#include "analyzer/dataflow/device_choices.h"

#include <algorithm>
#include <string>

#include "analyzer/ir/walk.h"

namespace placecheck::dataflow {
namespace {

bool says_device(std::string_view text) {
  return text == "device" || text == "gpu" || text.find("cuda") != std::string_view::npos;
}

// `x.to(torch.float32)`: a conversion, by the name of a type that is no device.
bool converts_only(const ir::Block& block, const ir::Call& call) {
  return std::all_of(call.arguments.begin() + 1, call.arguments.end(), [&](const auto& argument) {
    const ir::Instruction* made = ir::find_definition(block, argument.value);
    return made && made->call.name == "object.library";
  });
}

std::string_view last_name(std::string_view name) {
  name = ir::last_component(name);
  return name.substr(name.find_last_of('.') + 1);
}

bool chooses_device(const ir::Block& block, const ir::Instruction& instruction) {
  const auto* text = std::get_if<std::string>(&instruction.literal);
  if (text && says_device(*text)) return true;
  if (instruction.opcode != ir::Opcode::kCall) return false;
  const ir::Call& call = instruction.call;
  if (call.name == ".to" && !call.arguments.empty()) return !converts_only(block, call);
  return says_device(last_name(call.name)) || call.name == "torch.load" ||
         std::ranges::any_of(call.arguments,
                             [](const auto& each) { return says_device(each.name); });
}

}  // namespace

DeviceChoices::DeviceChoices(const ir::Program& program) {
  for (const ir::Unit* unit : program.units) {
    for (const ir::Function& each : unit->functions)
      functions_[last_name(each.name)].push_back(&each);
    for (const ir::Class& type : unit->classes) {
      for (const ir::Method& method : type.methods) {
        if (!method.is_constructor) continue;
        if (const ir::Function* made = program.find_function(method.key, unit))
          functions_[last_name(type.name)].push_back(made);
      }
    }
  }
}

const DeviceChoices::Body& DeviceChoices::body_of(const ir::Function& function) {
  const auto [at, is_new] = bodies_.try_emplace(&function);
  Body& body = at->second;
  if (!is_new) return body;
  std::unordered_set<std::string_view> names;
  ir::walk_instructions(function, [&](const ir::Instruction& each, ir::InstructionPlace place) {
    body.chooses |= chooses_device(function.blocks[place.block], each);
    const std::string_view name = last_name(each.call.name);
    const auto found = functions_.find(name);
    if (found != functions_.end() && names.insert(name).second)
      body.called.insert(body.called.end(), found->second.begin(), found->second.end());
  });
  return body;
}

bool DeviceChoices::may_choose_device(const ir::Function& function) {
  const auto known = answers_.find(&function);
  if (known != answers_.end()) return known->second;
  std::unordered_set<const ir::Function*> seen{&function};
  Functions work{&function};
  bool chooses = false;
  while (!work.empty() && !chooses) {
    const Body& body = body_of(*work.back());
    work.pop_back();
    chooses = body.chooses;
    for (const ir::Function* called : body.called)
      if (seen.insert(called).second) work.push_back(called);
  }
  return answers_[&function] = chooses;
}

}  // namespace placecheck::dataflow
