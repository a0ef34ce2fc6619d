#include "analyzer/dataflow/device_selection.h"

#include <algorithm>
#include <optional>

#include "analyzer/dataflow/effects.h"
#include "analyzer/models/libraries/python_names.h"

namespace placecheck::dataflow {
namespace {

// A wrapper that checks the call's status, and a helper around it. What lies further out does much
// else as well, and its counters need not number devices.
constexpr int kMostSteps = 2;

using models::Effect;

// `torch.device("cuda", i)`, `x.cuda(i)`, `torch.cuda.set_device(i)`.
bool names_device_in_python(const ir::Call& call) {
  if (call.arguments.empty()) return false;
  const bool has_number = call.arguments.size() == 2;
  return (has_number && (call.name == "torch.device" || call.name == ".cuda")) ||
         (call.arguments.size() == 1 && call.name.starts_with("torch.cuda.") &&
          models::find_python_function(call.name));
}

bool is_parameter(const ir::Function& function, const std::string& name) {
  return std::ranges::any_of(function.parameters,
                             [&](const ir::Parameter& each) { return each.name == name; });
}

// `Device(kCUDA, rank)` of a parameter, or of a capture, which is one.
bool names_given_device(const ir::Function& function) {
  std::unordered_set<ir::Register> given;
  for (const ir::Block& block : function.blocks) {
    for (const ir::Instruction& each : block.instructions) {
      if (each.opcode == ir::Opcode::kLoad && is_parameter(function, each.symbol))
        given.insert(each.result);
      if (given.count(number_of_named_device(each)) != 0) return true;
    }
  }
  return false;
}

// `record.device`, copied: the fields that hold the registers of a block.
using Fields = std::unordered_map<ir::Register, std::string_view>;

void note_field(const ir::Instruction& each, Fields& fields) {
  if (each.opcode == ir::Opcode::kField) fields.emplace(each.result, each.symbol);
  if (each.opcode != ir::Opcode::kCopy) return;
  if (auto from = fields.find(each.operands[0]); from != fields.end())
    fields.emplace(each.result, from->second);
}

// The number by which an instruction selects or names a device; kNoRegister where it does neither.
ir::Register number_of_chosen_device(const ir::Instruction& each,
                                     const std::unordered_set<std::string>& functions) {
  if (each.opcode != ir::Opcode::kCall || each.call.arguments.empty()) return ir::kNoRegister;
  const bool is_of_project = each.call.arguments.size() == 1 &&
                             each.call.kind != ir::CallKind::kMethod &&
                             functions.count(each.call.key) != 0;
  if (selects_or_guards_device(each) || is_of_project) return each.call.arguments[0].value;
  return number_of_named_device(each);
}

void find_device_fields(const ir::Function& function,
                        const std::unordered_set<std::string>& functions,
                        std::unordered_set<std::string>& found) {
  for (const ir::Block& block : function.blocks) {
    Fields fields;
    for (const ir::Instruction& each : block.instructions) {
      note_field(each, fields);
      if (auto field = fields.find(number_of_chosen_device(each, functions)); field != fields.end())
        found.emplace(field->second);
    }
  }
}

// `Buffer(int d) : device(d)`: what selects the device of the object selects that of its maker.
bool stores_device_number(const ir::Function& function,
                          const std::unordered_set<std::string>& device_fields) {
  for (const ir::Block& block : function.blocks) {
    Fields fields;
    std::unordered_set<ir::Register> given;
    for (const ir::Instruction& each : block.instructions) {
      note_field(each, fields);
      if (each.opcode == ir::Opcode::kLoad && is_parameter(function, each.symbol))
        given.insert(each.result);
      if (each.opcode != ir::Opcode::kAssign || !given.count(each.operands[1])) continue;
      auto field = fields.find(each.operands[0]);
      if (field != fields.end() && device_fields.count(std::string(field->second)) != 0)
        return true;
    }
  }
  return false;
}

// Calls, or makes a closure of, one of those.
bool leads_to(const ir::Instruction& each, const std::unordered_set<std::string>& functions) {
  if (each.opcode == ir::Opcode::kClosure)
    return functions.count(each.symbol) != 0 ||
           models::selects_device(models::find_effect(each.symbol));
  return each.opcode == ir::Opcode::kCall &&
         (selects_or_guards_device(each) || functions.count(each.call.key) != 0);
}

bool selects(const ir::Function& function, const NumberUses& uses) {
  for (const ir::Block& block : function.blocks) {
    for (const ir::Instruction& each : block.instructions) {
      if (leads_to(each, uses.selecting)) return true;
    }
  }
  return names_given_device(function) || stores_device_number(function, uses.device_fields);
}

using Functions = std::vector<const ir::Function*>;

// The functions of a program, and who calls them or makes closures of them, by key.
class CallGraph {
 public:
  explicit CallGraph(const ir::Program& program) {
    for (const ir::Unit* unit : program.units) {
      for (const ir::Function& function : unit->functions) add(function);
    }
  }

  const Functions& functions() const { return functions_; }

  template <class Keys>
  Functions callers_of(const Keys& keys) const {
    std::unordered_set<const ir::Function*> found;
    for (const std::string& key : keys) {
      if (auto callers = callers_.find(key); callers != callers_.end())
        found.insert(callers->second.begin(), callers->second.end());
    }
    return {found.begin(), found.end()};
  }

 private:
  void add(const ir::Function& function) {
    functions_.push_back(&function);
    for (const ir::Block& block : function.blocks) {
      for (const ir::Instruction& each : block.instructions) {
        if (each.opcode == ir::Opcode::kClosure) add_caller(each.symbol, function);
        if (each.opcode == ir::Opcode::kCall && !each.call.key.empty())
          add_caller(each.call.key, function);
      }
    }
  }

  void add_caller(std::string_view key, const ir::Function& function) {
    Functions& callers = callers_[key];
    if (callers.empty() || callers.back() != &function) callers.push_back(&function);
  }

  Functions functions_;
  std::unordered_map<std::string_view, Functions> callers_;
};

void find_selecting(const CallGraph& calls, NumberUses& uses) {
  Functions changed = calls.functions();  // those that call what was found last
  for (int step = 0; step <= kMostSteps; ++step) {
    const size_t fields = uses.device_fields.size();
    for (const ir::Function* each : changed)
      find_device_fields(*each, uses.selecting, uses.device_fields);
    // A function that stores a number in a new field need not call what was found last.
    const bool has_new_fields = uses.device_fields.size() != fields;
    std::unordered_set<std::string> more;
    for (const ir::Function* each : has_new_fields ? calls.functions() : changed) {
      if (uses.selecting.count(each->key) || !selects(*each, uses)) continue;
      more.insert(each->key);
      if (each->kind == ir::FunctionKind::kConstructor) more.insert(each->class_key);
    }
    if (more.empty()) break;
    changed = calls.callers_of(more);
    uses.selecting.merge(more);
  }
}

// The parameters that number elements, here or in what is called.
std::set<uint32_t> element_numbers_of(const ir::Function& function, const NumberUses& uses) {
  if (function.parameters.empty()) return {};
  std::unordered_map<std::string_view, uint32_t> positions;
  for (uint32_t i = 0; i < function.parameters.size(); ++i)
    positions.emplace(function.parameters[i].name, i);
  std::set<uint32_t> found;
  for (const ir::Block& block : function.blocks) {
    std::unordered_map<ir::Register, uint32_t> given;
    std::unordered_map<ir::Register, std::string_view> closures;
    auto add = [&](ir::Register value) {
      if (auto at = given.find(value); at != given.end()) found.insert(at->second);
    };
    for (const ir::Instruction& each : block.instructions) {
      auto parameter = positions.find(each.symbol);
      if (each.opcode == ir::Opcode::kLoad && parameter != positions.end())
        given.emplace(each.result, parameter->second);
      if (each.opcode == ir::Opcode::kIndex) add(each.operands[1]);
      if (each.opcode == ir::Opcode::kClosure) closures.emplace(each.result, each.symbol);
      for (size_t i : arguments_that_number_elements(uses, each, closures))
        add(each.opcode == ir::Opcode::kClosure ? each.operands[i] : each.call.arguments[i].value);
    }
  }
  return found;
}

void find_element_numbers(const CallGraph& calls, NumberUses& uses) {
  Functions changed = calls.functions();  // those that call what was found last
  for (int step = 0; step <= kMostSteps && !changed.empty(); ++step) {
    std::unordered_map<std::string, ElementNumbers> found;
    for (const ir::Function* each : changed) {
      std::set<uint32_t> parameters = element_numbers_of(*each, uses);
      if (parameters.empty()) continue;
      const bool makes = each->kind == ir::FunctionKind::kConstructor;
      if (makes) found[each->class_key].add(each->captures, parameters);
      found[each->key].add(each->captures, parameters);
    }
    std::vector<std::string> more;
    for (const auto& [key, numbers] : found) {
      ElementNumbers& known = uses.elements[key];
      if (known.add(numbers.captures, numbers.parameters)) more.push_back(key);
    }
    changed = calls.callers_of(more);
  }
}

}  // namespace

NumberUses uses_of_numbers(const ir::Program& program) {
  const CallGraph calls(program);
  NumberUses uses;
  find_selecting(calls, uses);
  find_element_numbers(calls, uses);
  return uses;
}

std::set<size_t> arguments_that_number_elements(
    const NumberUses& uses, const ir::Instruction& instruction,
    const std::unordered_map<ir::Register, std::string_view>& closures) {
  std::set<size_t> found;
  auto add = [&](std::string_view key, size_t count, auto parameter_of) {
    auto callee = uses.elements.find(std::string(key));
    if (callee == uses.elements.end()) return;
    for (size_t i = 0; i < count; ++i) {
      std::optional<size_t> parameter = parameter_of(i, callee->second.captures);
      if (parameter && callee->second.takes(static_cast<uint32_t>(*parameter))) found.insert(i);
    }
  };
  if (instruction.opcode == ir::Opcode::kClosure) {
    add(instruction.symbol, instruction.operands.size(),
        [](size_t i, uint32_t) { return std::optional(i); });
  }
  if (instruction.opcode != ir::Opcode::kCall) return found;
  const ir::Call& call = instruction.call;
  const size_t count = call.arguments.size();
  add(call.key, count, [&](size_t i, uint32_t captures) -> std::optional<size_t> {
    if (call.kind == ir::CallKind::kConstruct) return i + 1;  // behind the object
    if (call.kind != ir::CallKind::kIndirect) return i;
    return i == 0 ? std::nullopt : std::optional(captures + i - 1);  // behind the function
  });
  // std::thread(function, arguments...)
  for (size_t at = 0; at < count; ++at) {
    auto closure = closures.find(call.arguments[at].value);
    if (closure == closures.end()) continue;
    add(closure->second, count, [&](size_t i, uint32_t captures) {
      return i > at ? std::optional(captures + i - at - 1) : std::nullopt;
    });
  }
  return found;
}

ir::Register number_of_named_device(const ir::Instruction& instruction) {
  const ir::Call& call = instruction.call;
  if (instruction.opcode != ir::Opcode::kCall) return ir::kNoRegister;
  bool makes_device =
      call.arguments.size() > 1 && models::find_effect(call.name) == Effect::kMakeDevice;
  // options.device(torch::kCUDA, i)
  bool is_option = call.arguments.size() > 2 && call.name == "c10::TensorOptions::device";
  return makes_device || is_option || names_device_in_python(call) ? call.arguments.back().value
                                                                   : ir::kNoRegister;
}

}  // namespace placecheck::dataflow
