// wrong-device-guard: an exported function selects a device that is not that of the tensors which
// it works on, or its guard ends before the work is given.
#include "rules/wrong_device_guard.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "analyzer/checks/check.h"
#include "analyzer/checks/cuda_fixes.h"
#include "analyzer/checks/exported_work.h"
#include "analyzer/checks/place_questions.h"
#include "analyzer/ir/walk.h"

namespace placecheck::checks {
namespace {

namespace rule = rules::wrong_device_guard;
using dataflow::DeviceWorkEvent;
using dataflow::Name;
using dataflow::PlaceKind;
using rules::Trait;

// Where the current device was selected, if a tensor or a literal number did it.
bool is_selected_by_known(const DeviceWorkEvent& event) {
  const dataflow::Place& current = event.current;
  return current.kind == PlaceKind::kAlike ||
         (current.kind == PlaceKind::kCuda && current.index >= 0);
}

// All of the operands are tensors of the caller's: then none can have decided it.
bool are_all_callers(const DeviceWorkEvent& event) {
  return !event.operands.empty() &&
         std::ranges::all_of(event.operands, [](const dataflow::MemoryFact& each) {
           return each.place.kind == PlaceKind::kAlike;
         });
}

// Calls of libtorch that compare the devices of the tensors which they are given.
constexpr std::string_view kComparisons[] = {"at::checkAllSameGPU", "at::checkSameGPU",
                                             "at::cuda::check_device", "c10::check_device"};

// Which tensors were compared there is not followed: any such call on the way is taken for all.
bool are_compared_on_the_way(const DeviceWorkEvent& work, const dataflow::View& view) {
  const auto compares = [](std::string_view name) {
    return std::ranges::find(kComparisons, name) != std::end(kComparisons);
  };
  return is_called_on_the_way(compares, work.site, view);
}

// A helper that is given the tensor that decided, with others, may compare their devices.
bool are_compared_in_helper(const std::string& tensor, const DeviceWorkEvent& work,
                            const dataflow::View& view, PlaceQuestions& questions) {
  const std::vector<const ir::Function*> way = functions_on_the_way(work.site, view);
  const auto is_on_the_way = [&](const ir::Function& function, const ir::Instruction& call) {
    const ir::Function* callee =
        view.program.find_function(call.call.key, view.program.unit_of(function));
    return std::ranges::find(way, callee) != way.end();
  };
  bool found = false;
  for (const ir::Function* function : way) {
    questions.walk(*function, [&](const ir::Block& block, const ir::Instruction& call) {
      if (call.call.key.empty() || is_on_the_way(*function, call)) return;
      const GivenParameters given = parameters_given(*function, block, call);
      const bool has_tensor = function != view.exported || given.names.contains(tensor);
      found |= has_tensor && given.names.size() > 1;
    });
  }
  return found;
}

// What did not parse there may work on the tensor that decided.
bool is_partial_on_the_way(const DeviceWorkEvent& work, const dataflow::View& view) {
  return std::ranges::any_of(functions_on_the_way(work.site, view),
                             [](const ir::Function* each) { return each->is_partial; });
}

// Whether a function value that `function` makes holds the variable.
bool is_captured(const std::string& variable, const ir::Function& function) {
  bool found = false;
  ir::walk_instructions(function, [&](const ir::Instruction& each, ir::InstructionPlace place) {
    if (each.opcode != ir::Opcode::kClosure) return;
    ir::walk_uses(each, [&](ir::Register value) {
      const ir::Instruction* made = ir::find_definition(function.blocks[place.block], value);
      found |= made && made->symbol == variable;
    });
  });
  return found;
}

// Whether `each` stores a pointer to the memory of the tensor in a variable that is captured.
bool captures_memory(const ir::Instruction& each, const std::string& tensor, const ir::Block& block,
                     const ir::Function& function) {
  if (each.opcode != ir::Opcode::kStore) return false;
  const ir::Instruction* pointer = ir::find_definition(block, each.operands[0]);
  const bool is_pointer = pointer && !pointer->call.arguments.empty() &&
                          ir::last_component(pointer->call.name).ends_with("data_ptr");
  if (!is_pointer) return false;
  const ir::Instruction* made = ir::find_definition(block, pointer->call.arguments[0].value);
  return made && made->symbol == tensor && is_captured(each.symbol, function);
}

// The memory of the tensor may be given to work that was not reached: a launch in a callback.
bool is_memory_captured_on_the_way(const std::string& tensor, const DeviceWorkEvent& work,
                                   const dataflow::View& view) {
  bool found = false;
  for (const ir::Function* function : functions_on_the_way(work.site, view)) {
    ir::walk_instructions(*function, [&](const ir::Instruction& each, ir::InstructionPlace place) {
      found = found || captures_memory(each, tensor, function->blocks[place.block], *function);
    });
  }
  return found;
}

void add_note(findings::Finding& finding, dataflow::OriginId origin, std::string text,
              const dataflow::View& view) {
  const dataflow::Site& site = view.origins[origin].site;
  if (origin != 0 && site.valid())
    finding.notes.push_back({Reporter::range_of(site), std::move(text)});
}

findings::Finding finding_of(const DeviceWorkEvent& work, const std::string& message,
                             const dataflow::View& view, dataflow::OriginId origin,
                             std::string note, Reporter& reporter) {
  findings::Finding finding = reporter.start(rule::kRule, work.site, message);
  add_note(finding, origin, std::move(note), view);
  add_way(finding, view);
  finding.predicted_error = rule::message();
  finding.fix =
      "select the device of a tensor that is worked on, with a guard that lives until "
      "the work is given";
  return finding;
}

// The guard with the name of another tensor that the exported function is given.
FixIts name_in_guard(const DeviceWorkEvent& work, const std::string& tensor,
                     const dataflow::View& view, Reporter& reporter) {
  const dataflow::Site& guard = view.origins[work.selected_at].site;
  if (!is_tensor_parameter(tensor, view) || !guard.valid() || function_at(guard) != view.exported)
    return {};
  return rename_at(guard, parameter_of(work.current.symbol, view), tensor, reporter);
}

// The key under which work of the exported function on a tensor is noted.
std::string key_of_work(Name tensor, const dataflow::View& view) {
  return view.exported->key + " works on " + view.names.text(tensor);
}

// A library's routine is one of several that share the tensors of a computation.
bool takes_all_operands(const DeviceWorkEvent& work) {
  return work.is_kernel || work.operation.starts_with("cudaMemcpy");
}

void on_other_tensor(const DeviceWorkEvent& work, const std::vector<Name>& tensors,
                     const dataflow::View& view, Reporter& reporter) {
  auto decides = [&](Name tensor) { return work.current.symbol == tensor; };
  auto is_known_alike = [&](Name tensor) { return is_compared(view, work.current.symbol, tensor); };
  bool by_tensor = work.current.kind == PlaceKind::kAlike;
  bool is_known =
      !by_tensor || (takes_all_operands(work) && is_of_parameter(work.current.symbol, view));
  if (!is_known || !is_of_parameter(tensors[0], view)) return;
  Trait by_operand = by_tensor && std::ranges::any_of(tensors, decides) ? Trait::kYes : Trait::kNo;
  Trait compared =
      by_tensor && std::ranges::any_of(tensors, is_known_alike) ? Trait::kYes : Trait::kNo;
  if (rule::judge(by_operand, compared) != rules::Verdict::kBroken) return;
  const std::string decider = by_tensor ? parameter_of(work.current.symbol, view) : "";
  const bool may_decide =
      by_tensor && (are_compared_on_the_way(work, view) || is_partial_on_the_way(work, view) ||
                    are_compared_in_helper(decider, work, view, reporter.place_questions(view)) ||
                    is_memory_captured_on_the_way(decider, work, view));
  if (may_decide) return;
  std::string selected = by_tensor
                             ? "the device of '" + parameter_of(work.current.symbol, view) + "'"
                             : place_text(work.current, view.names);
  findings::Finding finding =
      finding_of(work,
                 what_runs(work) + " works on '" + parameter_of(tensors[0], view) +
                     "', but runs on " + selected,
                 view, work.selected_at, selected + " was selected here", reporter);
  if (by_tensor)
    finding.fix_its = name_in_guard(work, parameter_of(tensors[0], view), view, reporter);
  // Where some kernel works on the tensor whose device was selected, the tensors of the call are
  // taken to share that device.
  std::vector<std::string> any_of;
  if (by_tensor) any_of.push_back(key_of_work(work.current.symbol, view));
  reporter.add_once_unless_found(view.exported->key, std::move(any_of), std::move(finding));
}

void on_dropped(const dataflow::DroppedGuardEvent& event, const dataflow::View& view,
                Reporter& reporter) {
  const bool is_python = Reporter::is_python(event.site);
  const std::string current = place_text(event.current, view.names);
  const bool is_numbered = event.wanted.symbol == 0 && event.current.symbol == 0;
  const std::string ends = event.is_named ? "the guard ends with this function, which does nothing "
                                            "on the device: "
                                          : "the guard has no name and ends here: ";
  const std::string follows =
      is_numbered
          ? current + " stays the current device, not " + place_text(event.wanted, view.names)
          : "what follows runs on the device that was current before";
  findings::Finding finding = reporter.start(rule::kRule, event.site, ends + follows);
  finding.predicted_error = std::string(rule::kOnCurrentDevice);
  finding.fix = is_python ? "use it in a with statement, or call torch.cuda.set_device"
                : event.is_named
                    ? "select the device for good there, or make the guard where the work is done"
                    : "give it a name, so that it lives to the end of the block";
  reporter.add(std::move(finding));
}

void on_event(const dataflow::Event& event, const dataflow::View& view, Reporter& reporter) {
  if (const auto* dropped = std::get_if<dataflow::DroppedGuardEvent>(&event))
    return on_dropped(*dropped, view, reporter);
  const auto* work = std::get_if<DeviceWorkEvent>(&event);
  if (!work || !view.exported) return;
  std::vector<Name> tensors = callers_tensors(*work);
  for (Name tensor : tensors) reporter.note_found(key_of_work(tensor, view));
  if (tensors.empty()) return;
  if (work->is_callers) {
    if (work->released_at == 0 || is_compared_with_current(view)) return;
    reporter.add_once(
        view.exported->key,
        finding_of(*work,
                   what_runs(*work) + " works on '" + parameter_of(tensors[0], view) +
                       "', but the guard has ended, and the caller's device is current again",
                   view, work->released_at, "the guard ends here", reporter));
  } else if (is_selected_by_known(*work) && are_all_callers(*work)) {
    on_other_tensor(*work, tensors, view, reporter);
  }
}

}  // namespace

extern const Check kWrongDeviceGuard{&rule::kRule, on_event, nullptr};

}  // namespace placecheck::checks
