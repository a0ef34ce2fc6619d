// unchecked-operand-device: an exported function passes a tensor to a kernel without checking its
// device.
#include "rules/unchecked_operand_device.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "analyzer/checks/check.h"
#include "analyzer/checks/edits.h"
#include "analyzer/checks/exported_work.h"
#include "analyzer/checks/place_questions.h"
#include "analyzer/dataflow/conditions.h"

namespace placecheck::checks {
namespace {

namespace rule = rules::unchecked_operand_device;
using dataflow::Name;
using rules::Trait;

// The parameters of the exported function that something on the way asks for their place, or hands
// to what does: by names, since which of them a helper asks is not followed.
class Questions {
 public:
  Questions(const dataflow::DeviceWorkEvent& work, const dataflow::View& view,
            PlaceQuestions& program) {
    for (const ir::Function* each : functions_on_the_way(work.site, view)) {
      if (each == view.exported)
        read_exported(*each, program);
      else
        all_ |= program.asks(*each);
    }
  }

  bool are_about(const std::string& parameter) const { return all_ || asked_.contains(parameter); }

 private:
  void read_exported(const ir::Function& function, PlaceQuestions& program) {
    program.walk(function, [&](const ir::Block& block, const ir::Instruction& call) {
      GivenParameters given = parameters_given(function, block, call);
      asked_.merge(given.names);
      all_ |= given.is_open && is_place_question(call);
    });
  }

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
  // Where none of their devices was selected, on this path or another, that is what is wrong.
  const Name selected =
      work->current.kind == dataflow::PlaceKind::kAlike ? work->current.symbol : Name{0};
  if (tensors.size() < 2 || !tensors.contains(selected)) return;
  const Questions questions(*work, view, reporter.place_questions(view));
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
  // A guard in a helper may have asked the tensor itself.
  const bool is_own_guard = function_at(view.origins[work->selected_at].site) == view.exported;
  if (found == tensors.end() && is_own_guard) found = std::ranges::find_if(tensors, is_unchecked);
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
  reporter.add_once_unless_found(view.exported->key, {look_up_of_missing_guard(*view.exported)},
                                 std::move(finding));
}

}  // namespace

extern const Check kUncheckedOperandDevice{&rule::kRule, on_event, nullptr};

}  // namespace placecheck::checks
