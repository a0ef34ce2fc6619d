#include "analyzer/checks/exported_work.h"

#include <algorithm>
#include <optional>

#include "analyzer/checks/cuda_fixes.h"
#include "analyzer/checks/edits.h"
#include "analyzer/dataflow/scalars.h"
#include "analyzer/files/built_in.h"
#include "analyzer/ir/walk.h"

namespace placecheck::checks {
namespace {

using dataflow::Name;
using dataflow::Names;
using dataflow::Site;

// Notes between the ends of a long way say little.
constexpr size_t kMostNotes = 6;

bool mentions(Name name, std::string_view text, const Names& names) {
  return names.text(name) == text || std::ranges::any_of(names.operands(name), [&](Name each) {
           return mentions(each, text, names);
         });
}

// The named function around `site` that takes a tensor; a lambda has nowhere to put a guard that
// outlives it.
const ir::Function* function_around(const Site& site) {
  if (!site.valid()) return nullptr;
  for (const ir::Function& each : site.unit->functions) {
    if (each.kind == ir::FunctionKind::kFunction && contains(each.range, site.range) &&
        takes_tensor(each))
      return &each;
  }
  return nullptr;
}

struct Home {
  const ir::Unit* unit = nullptr;
  const ir::Function* function = nullptr;
};

bool is_cuda_source(const Home& home) {
  std::string_view file = home.unit->files[home.function->range.file];
  return file.ends_with(".cu") || file.ends_with(".cuh");
}

// The outermost function on the way that is for CUDA only: what is called for tensors on the CPU as
// well must not ask for their CUDA device.
std::optional<Home> home_of_guard(const dataflow::DeviceWorkEvent& event,
                                  const dataflow::View& view) {
  std::vector<Home> homes;
  auto add = [&](const ir::Unit* unit, const ir::Function* function) {
    if (unit && function && takes_tensor(*function)) homes.push_back({unit, function});
  };
  add(view.program.unit_of(*view.exported), view.exported);
  for (const Site& call : view.calls) add(call.unit, function_around(call));
  add(event.site.unit, function_around(event.site));
  auto found = std::ranges::find_if(homes, is_cuda_source);
  if (found == homes.end()) return homes.empty() ? std::nullopt : std::optional(homes.front());
  return *found;
}

std::string tensor_of(const ir::Function& function, std::string_view wanted) {
  std::string first;
  for (const ir::Parameter& each : function.parameters) {
    if (each.type.kind != ir::TypeKind::kTensor || each.name.empty()) continue;
    if (each.name == wanted) return each.name;
    if (first.empty()) first = each.name;
  }
  return first;
}

std::string guard_text(const Home& home, const std::string& tensor, Reporter& reporter) {
  Site site{home.unit, home.function->range};
  if (reporter.file_mentions(site, "torch::stable"))
    return "torch::stable::accelerator::DeviceGuard device_guard(" + tensor +
           ".get_device_index());";
  return "const at::cuda::OptionalCUDAGuard device_guard(device_of(" + tensor + "));";
}

constexpr std::string_view kGuardHeader = "c10/cuda/CUDAGuard.h";

}  // namespace

std::string what_runs(const dataflow::DeviceWorkEvent& event) {
  return event.is_kernel ? "this kernel" : "'" + event.operation + "'";
}

std::vector<Name> callers_tensors(const dataflow::DeviceWorkEvent& event) {
  std::vector<Name> symbols;
  for (const dataflow::MemoryFact& each : event.operands) {
    if (each.place.kind == dataflow::PlaceKind::kAlike) symbols.push_back(each.place.symbol);
  }
  return symbols;
}

bool is_compared(const dataflow::View& view, Name with, Name other) {
  return std::ranges::any_of(view.state.assumptions, [&](const auto& each) {
    return view.names.mentions(each.first, with) && view.names.mentions(each.first, other);
  });
}

bool is_compared_with_current(const dataflow::View& view) {
  return std::ranges::any_of(view.state.assumptions, [&](const auto& each) {
    return mentions(each.first, dataflow::kCallersDevice, view.names);
  });
}

std::string name_of(const ir::Function& function) {
  return function.kind == ir::FunctionKind::kLambda ? "this function" : "'" + function.name + "'";
}

std::string parameter_of(Name symbol, const dataflow::View& view) {
  const std::string& text = view.names.text(symbol);
  return text.substr(0, text.find('#'));
}

bool is_of_parameter(Name symbol, const dataflow::View& view) {
  std::string name = parameter_of(symbol, view);
  return std::ranges::any_of(view.exported->parameters, [&](const ir::Parameter& each) {
    return !each.name.empty() && each.name == name;
  });
}

bool takes_tensor(const ir::Function& function) {
  return std::ranges::any_of(function.parameters, [](const ir::Parameter& each) {
    return each.type.kind == ir::TypeKind::kTensor;
  });
}

bool is_tensor_parameter(const std::string& name, const dataflow::View& view) {
  return std::ranges::any_of(view.exported->parameters, [&](const ir::Parameter& each) {
    return each.name == name && each.type.kind == ir::TypeKind::kTensor;
  });
}

std::string look_up_of_missing_guard(const ir::Function& exported) {
  return "no device guard in " + exported.key;
}

void add_way(findings::Finding& finding, const dataflow::View& view) {
  Site entry{view.program.unit_of(*view.exported), view.exported->range};
  entry.range.end_line = entry.range.line;
  entry.range.end_column = entry.range.column + 1;
  finding.notes.push_back(
      {Reporter::range_of(entry), name_of(*view.exported) + " can be called from outside"});
  findings::SourceRange last = finding.range;
  size_t told = 0;
  for (const Site& call : view.calls) {
    if (!call.valid()) continue;
    const findings::SourceRange at = Reporter::range_of(call);
    if (files::is_built_in(at.file) || at == last || ++told > kMostNotes) continue;
    last = at;
    finding.notes.push_back({last, "called from here"});
  }
}

std::vector<const ir::Function*> functions_on_the_way(const Site& site,
                                                      const dataflow::View& view) {
  std::vector<Site> sites(view.calls.begin(), view.calls.end());
  sites.push_back({view.program.unit_of(*view.exported), view.exported->range});
  sites.push_back(site);
  std::vector<const ir::Function*> functions;
  for (const Site& each : sites) {
    if (!each.valid()) continue;
    for (const ir::Function& function : each.unit->functions) {
      const bool is_around = contains(function.range, each.range);
      const bool is_new = std::ranges::find(functions, &function) == functions.end();
      if (is_around && is_new) functions.push_back(&function);
    }
  }
  return functions;
}

bool is_called_on_the_way(llvm::function_ref<bool(std::string_view)> fits, const Site& site,
                          const dataflow::View& view) {
  bool found = false;
  for (const ir::Function* each : functions_on_the_way(site, view)) {
    ir::walk_instructions(*each, [&](const ir::Instruction& instruction, ir::InstructionPlace) {
      found |= instruction.opcode == ir::Opcode::kCall && fits(instruction.call.name);
    });
  }
  return found;
}

bool has_own_guard(const Site& site, const dataflow::View& view) {
  auto is_guard = [&](const ir::Type& type, const ir::Unit* unit) {
    if (type.kind != ir::TypeKind::kRecord) return false;
    const ir::Class* known = view.program.find_class(type.name, unit);
    return known && view.program.find_destructor(*known) != nullptr;
  };
  return std::ranges::any_of(functions_on_the_way(site, view), [&](const ir::Function* function) {
    const ir::Unit* unit = view.program.unit_of(*function);
    return std::ranges::any_of(function->slots,
                               [&](const ir::Slot& each) { return is_guard(each.type, unit); });
  });
}

void add_guard_fix(findings::Finding& finding, const dataflow::DeviceWorkEvent& event,
                   const dataflow::View& view, Reporter& reporter) {
  finding.fix = "select the tensors' device first, with a guard that lives until the end";
  std::vector<Name> tensors = callers_tensors(event);
  std::optional<Home> home = home_of_guard(event, view);
  if (!home || tensors.empty()) return;
  std::string tensor = tensor_of(*home->function, parameter_of(tensors[0], view));
  if (tensor.empty()) return;
  std::string guard = guard_text(*home, tensor, reporter);
  finding.fix = "begin " + name_of(*home->function) + " with '" + guard + "'";
  Site site{home->unit, home->function->range};
  if (std::optional<findings::SourceRange> body = reporter.start_of_body(site)) {
    finding.fix_its.push_back({*body, "\n  " + guard});
    if (guard.find("OptionalCUDAGuard") != guard.npos)
      add_include(finding, site, kGuardHeader, reporter);
  }
}

}  // namespace placecheck::checks
