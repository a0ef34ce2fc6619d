// unchecked-operand-device: an exported function passes a tensor to a kernel without checking its
// device.
#include "rules/unchecked_operand_device.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "analyzer/checks/check.h"
#include "analyzer/checks/exported_work.h"
#include "analyzer/dataflow/conditions.h"
#include "analyzer/ir/walk.h"

namespace placecheck::checks {
namespace {

namespace rule = rules::unchecked_operand_device;
using dataflow::Name;
using rules::Trait;

// Helpers that check may call others that do.
constexpr int kMostHelpers = 3;

bool asks_for_place(const ir::Instruction& instruction) {
  if (instruction.opcode != ir::Opcode::kCall) return false;
  constexpr std::string_view kQuestions[] = {"device",     "device_type",      "dispatch_key",
                                             "get_device", "get_device_index", "is_cpu",
                                             "is_cuda",    "key_set",          "type"};
  const std::string& name = instruction.call.name;
  const bool is_tensors = name.starts_with("at::Tensor") || name.find("Tensor::") != name.npos;
  const std::string_view last = ir::last_component(name);
  return (is_tensors && std::ranges::find(kQuestions, last) != std::end(kQuestions)) ||
         last.starts_with("check") || last.starts_with("Check") || last.starts_with("CHECK");
}

// Whether nothing in the function says what a value is: a global, the result of a call without
// arguments.
bool is_from_elsewhere(const ir::Instruction& made, const ir::Function& function) {
  if (made.opcode == ir::Opcode::kCall) return made.call.arguments.empty();
  if (made.opcode != ir::Opcode::kLoad && made.opcode != ir::Opcode::kRef) return false;
  bool is_set = false;
  ir::walk_instructions(function, [&](const ir::Instruction& each, ir::InstructionPlace) {
    is_set |= ir::sets_variable(each, made.symbol);
  });
  return !is_set;
}

// The parameters of the exported function that something on the way asks for their place, or hands
// to what does: by names, since which of them a helper asks is not followed.
class Questions {
 public:
  Questions(const dataflow::DeviceWorkEvent& work, const dataflow::View& view)
      : program_(view.program) {
    for (const ir::Function* each : functions_on_the_way(work.site, view)) {
      const ir::Unit* unit = view.program.unit_of(*each);
      if (each == view.exported)
        read_exported(*each, unit);
      else
        all_ |= asks(*each, unit, kMostHelpers);
    }
  }

  bool are_about(const std::string& parameter) const { return all_ || asked_.contains(parameter); }

 private:
  void read_exported(const ir::Function& function, const ir::Unit* unit) {
    for (const ir::Block& block : function.blocks) {
      for (const ir::Instruction& each : block.instructions) {
        if (each.opcode != ir::Opcode::kCall) continue;
        if (asks_for_place(each) || is_asking_helper(each, unit, kMostHelpers))
          add_arguments(function, block, each);
      }
    }
  }

  void add_arguments(const ir::Function& function, const ir::Block& block,
                     const ir::Instruction& call) {
    ir::OriginWalk origins(function);
    const auto note = [&](const ir::Instruction& made) {
      const bool is_parameter = std::ranges::any_of(
          function.parameters, [&](const auto& each) { return each.name == made.symbol; });
      if (is_parameter)
        asked_.insert(made.symbol);
      else if (is_from_elsewhere(made, function))
        all_ |= asks_for_place(call);
    };
    for (const ir::Argument& argument : call.call.arguments)
      origins.walk(block, argument.value, note);
  }

  bool is_asking_helper(const ir::Instruction& call, const ir::Unit* unit, int depth) {
    if (call.opcode != ir::Opcode::kCall || call.call.key.empty() || depth == 0) return false;
    const ir::Function* callee = program_.find_function(call.call.key, unit);
    return callee && asks(*callee, program_.unit_of(*callee), depth - 1);
  }

  bool asks(const ir::Function& function, const ir::Unit* unit, int depth) {
    bool found = false;
    ir::walk_instructions(function, [&](const ir::Instruction& each, ir::InstructionPlace) {
      found = found || asks_for_place(each) || is_asking_helper(each, unit, depth);
    });
    return found;
  }

  dataflow::ProgramIndex& program_;
  std::set<std::string> asked_;
  bool all_ = false;
};

// That it is there, and on a GPU, is clear from its being used.
bool is_known_by_conditions(Name tensor, const dataflow::View& view) {
  return std::ranges::any_of(view.state.assumptions, [&](const auto& each) {
    const bool is_clear = view.names.is_term(each.first, dataflow::kIsNull) ||
                          view.names.is_term(each.first, dataflow::kIsCuda);
    return !is_clear && view.names.mentions(each.first, tensor);
  });
}

// A tensor, one that may be absent, or a list of tensors.
bool is_operand(const ir::Type& type) {
  const bool holds = type.kind == ir::TypeKind::kPointer || type.kind == ir::TypeKind::kContainer;
  return type.kind == ir::TypeKind::kTensor ||
         (holds && !type.arguments.empty() && is_operand(type.arguments.back()));
}

// The operands that are parameters of the exported function themselves.
std::map<Name, const ir::Parameter*> own_parameters(const dataflow::DeviceWorkEvent& work,
                                                    const dataflow::View& view) {
  std::map<Name, const ir::Parameter*> own;
  for (Name tensor : callers_tensors(work)) {
    const auto found = std::ranges::find(view.exported->parameters, parameter_of(tensor, view),
                                         &ir::Parameter::name);
    if (found != view.exported->parameters.end() && is_operand(found->type))
      own.emplace(tensor, &*found);
  }
  return own;
}

std::string device_of(const ir::Parameter& tensor) {
  const bool is_list = tensor.type.kind == ir::TypeKind::kContainer;
  const bool is_pointer = tensor.type.kind == ir::TypeKind::kPointer;
  return tensor.name + (is_list ? "[i]" : "") + (is_pointer ? "->device()" : ".device()");
}

void add_fix(findings::Finding& finding, const ir::Parameter& tensor, const ir::Parameter& other,
             const dataflow::View& view, Reporter& reporter) {
  const std::string condition = device_of(tensor) + " == " + device_of(other);
  const bool is_single =
      tensor.type.kind == ir::TypeKind::kTensor && other.type.kind == ir::TypeKind::kTensor;
  finding.fix = "check it" + (is_single ? " where " + name_of(*view.exported) + " begins" : "") +
                ": TORCH_CHECK(" + condition + ")";
  if (!is_single) return;
  const dataflow::Site entry{view.program.unit_of(*view.exported), view.exported->range};
  if (const std::optional<findings::SourceRange> body = reporter.start_of_body(entry))
    finding.fix_its.push_back({*body, "\n  TORCH_CHECK(" + condition + ", \"" + tensor.name +
                                          " and " + other.name +
                                          " must be on the same device\");"});
}

void on_event(const dataflow::Event& event, const dataflow::View& view, Reporter& reporter) {
  const auto* work = std::get_if<dataflow::DeviceWorkEvent>(&event);
  if (!work || !view.exported || !work->is_kernel) return;
  const std::map<Name, const ir::Parameter*> tensors = own_parameters(*work, view);
  // Where none of their devices was selected, that is what is wrong.
  const Name selected =
      work->current.kind == dataflow::PlaceKind::kAlike ? work->current.symbol : Name{0};
  if (tensors.size() < 2 || !tensors.contains(selected)) return;
  const Questions questions(*work, view);
  const auto is_unchecked = [&](const auto& each) {
    const auto& [tensor, parameter] = each;
    const bool is_asked =
        questions.are_about(parameter->name) || is_known_by_conditions(tensor, view);
    return rule::judge(Trait::kYes, is_asked ? Trait::kYes : Trait::kNo) == rules::Verdict::kBroken;
  };
  // The tensor whose device was selected is what the others have to agree with.
  const auto is_other = [&](const auto& each) { return each.first != selected; };
  auto found = std::ranges::find_if(
      tensors, [&](const auto& each) { return is_other(each) && is_unchecked(each); });
  if (found == tensors.end()) found = std::ranges::find_if(tensors, is_unchecked);
  if (found == tensors.end()) return;
  const ir::Parameter& tensor = *found->second;
  const ir::Parameter& other =
      is_other(*found) ? *tensors.at(selected) : *std::ranges::find_if(tensors, is_other)->second;
  findings::Finding finding =
      reporter.start(rule::kRule, work->site,
                     "nothing checks that '" + tensor.name + "' is on the same device as '" +
                         other.name + "', which this kernel is given, too");
  add_way(finding, view);
  finding.predicted_error = std::string(rule::kRule.predicted_error);
  add_fix(finding, tensor, other, view, reporter);
  reporter.add_once(view.exported->key, std::move(finding));
}

}  // namespace

extern const Check kUncheckedOperandDevice{&rule::kRule, on_event, nullptr};

}  // namespace placecheck::checks
