// unchecked-operand-device: an exported function passes a tensor to a kernel without checking its
// device.
#include "rules/unchecked_operand_device.h"

#include <algorithm>
#include <iterator>
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
    for (const ir::Argument& argument : call.call.arguments) {
      const ir::Instruction* made = ir::find_definition(block, argument.value);
      const bool is_variable =
          made && (made->opcode == ir::Opcode::kLoad || made->opcode == ir::Opcode::kRef);
      const std::string name =
          is_variable ? made->symbol.substr(0, made->symbol.find('@', 1)) : std::string();
      const bool is_parameter = std::ranges::any_of(
          function.parameters, [&](const auto& each) { return each.name == name; });
      if (is_parameter) asked_.insert(name);
      // An element of a list of tensors, a part of something: any of them.
      const bool is_other =
          !made || (is_variable && !is_parameter) || made->opcode == ir::Opcode::kCall;
      if (is_other) all_ |= asks_for_place(call);
    }
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

// The parameters of the exported function that are tensors themselves.
std::set<Name> own_parameters(const dataflow::DeviceWorkEvent& work, const dataflow::View& view) {
  std::set<Name> own;
  for (Name tensor : callers_tensors(work)) {
    if (is_tensor_parameter(parameter_of(tensor, view), view)) own.insert(tensor);
  }
  return own;
}

void on_event(const dataflow::Event& event, const dataflow::View& view, Reporter& reporter) {
  const auto* work = std::get_if<dataflow::DeviceWorkEvent>(&event);
  if (!work || !view.exported || !work->is_kernel) return;
  const std::set<Name> tensors = own_parameters(*work, view);
  // Where none of their devices was selected, that is what is wrong.
  const bool is_selected =
      work->current.kind == dataflow::PlaceKind::kAlike && tensors.contains(work->current.symbol);
  if (tensors.size() < 2 || !is_selected) return;
  const Questions questions(*work, view);
  const auto is_unchecked = [&](Name tensor) {
    const bool is_asked =
        questions.are_about(parameter_of(tensor, view)) || is_known_by_conditions(tensor, view);
    return rule::judge(Trait::kYes, is_asked ? Trait::kYes : Trait::kNo) == rules::Verdict::kBroken;
  };
  // The tensor whose device was selected is what the others have to agree with.
  const auto is_other = [&](Name tensor) { return tensor != work->current.symbol; };
  auto found = std::ranges::find_if(
      tensors, [&](Name tensor) { return is_other(tensor) && is_unchecked(tensor); });
  if (found == tensors.end()) found = std::ranges::find_if(tensors, is_unchecked);
  if (found == tensors.end()) return;
  const std::string name = parameter_of(*found, view);
  const std::string other =
      parameter_of(*std::ranges::find_if(tensors, [&](Name each) { return each != *found; }), view);
  findings::Finding finding =
      reporter.start(rule::kRule, work->site,
                     "nothing checks that '" + name + "' is on the same device as '" + other +
                         "', which this kernel is given, too");
  add_way(finding, view);
  finding.predicted_error = std::string(rule::kRule.predicted_error);
  const std::string condition = name + ".device() == " + other + ".device()";
  finding.fix =
      "check it where " + name_of(*view.exported) + " begins: TORCH_CHECK(" + condition + ")";
  const dataflow::Site entry{view.program.unit_of(*view.exported), view.exported->range};
  if (const std::optional<findings::SourceRange> body = reporter.start_of_body(entry))
    finding.fix_its.push_back({*body, "\n  TORCH_CHECK(" + condition + ", \"" + name + " and " +
                                          other + " must be on the same device\");"});
  reporter.add_once(view.exported->key, std::move(finding));
}

}  // namespace

extern const Check kUncheckedOperandDevice{&rule::kRule, on_event, nullptr};

}  // namespace placecheck::checks
