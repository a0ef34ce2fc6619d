#include "analyzer/checks/analyze.h"

#include <utility>
#include <variant>

#include "analyzer/dataflow/exports.h"
#include "analyzer/dataflow/symbols.h"
#include "analyzer/ir/walk.h"

namespace placecheck::checks {
namespace {

std::vector<const Check*> selected_checks(const std::set<std::string>& rules) {
  std::vector<const Check*> checks;
  for (const Check& check : all_checks()) {
    const bool is_named = rules.count(std::string(check.rule->id)) != 0;
    if (is_named || (rules.empty() && !check.rule->is_asked_for)) checks.push_back(&check);
  }
  return checks;
}

// Whether the event is of a run in which all options of the program have their defaults.
bool has_defaults(const dataflow::View& view) {
  return view.state.find_global(view.names.find(dataflow::kHasDefaults)) != nullptr;
}

void scan_functions(const ir::Program& program, const std::vector<const Check*>& checks,
                    Reporter& reporter) {
  for (const ir::Unit* unit : program.units) {
    for (const ir::Function& function : unit->functions) {
      for (const Check* check : checks) {
        if (check->on_function) check->on_function(*unit, function, reporter);
      }
    }
  }
}

void tell_callers(const ir::Program& program, const dataflow::PythonCallers& callers,
                  Reporter& reporter) {
  if (callers.empty()) return;
  for (const auto& [function, name] : dataflow::exported_functions(program)) {
    const auto caller = callers.find(name);
    if (caller != callers.end()) reporter.note_caller_with_device(*function, caller->second);
  }
}

void note_launch(const dataflow::Site& site, bool is_reached, dataflow::HoldsAt& launches) {
  if (!site.valid()) return;
  launches[site.unit->files[site.range.file]][{site.range.line, site.range.column}] |= is_reached;
}

void note_reached(const dataflow::Event& event, const dataflow::View& view,
                  dataflow::HoldsAt& launches) {
  const auto* work = std::get_if<dataflow::DeviceWorkEvent>(&event);
  if (work && work->is_kernel && view.exported) note_launch(work->site, true, launches);
}

// The functions that the world calls, and the launches that none of them was seen to reach.
void add_extension(const ir::Program& program, dataflow::Coverage& coverage) {
  for (const auto& [function, name] : dataflow::exported_functions(program)) {
    const ir::Unit* unit = program.unit_of(*function);
    const ir::Range& range = function->range;
    if (unit && range.valid()) coverage.exported.emplace(unit->files[range.file], range.line, name);
  }
  for (const ir::Unit* unit : program.units) {
    for (const ir::Function& function : unit->functions) {
      ir::walk_instructions(function, [&](const ir::Instruction& each, ir::InstructionPlace) {
        if (each.opcode == ir::Opcode::kCall && each.call.name == "launch")
          note_launch({unit, each.range}, false, coverage.launches);
      });
    }
  }
}

}  // namespace

std::vector<findings::Finding> analyze(const ir::Program& program, const AnalyzeOptions& options,
                                       findings::SourceCache& sources, dataflow::Coverage& coverage,
                                       dataflow::PlaceTable* places, dataflow::FileTraffic* files) {
  std::vector<const Check*> checks = selected_checks(options.rules);
  Reporter reporter(program.name, sources);
  tell_callers(program, options.python_callers, reporter);
  scan_functions(program, checks, reporter);
  dataflow::EngineOptions engine_options = options;
  engine_options.record_places = options.record_places && places != nullptr;
  dataflow::HoldsAt launches;
  dataflow::Engine engine(
      program, engine_options, [&](const dataflow::Event& event, const dataflow::View& view) {
        note_reached(event, view, launches);
        // A dropped result is a mistake on every path: the finding waits for no exact caller.
        const bool is_local = std::holds_alternative<dataflow::DiscardedTransferEvent>(event);
        if (is_local && !view.is_exact())
          reporter.begin_event(/*is_exact=*/true);
        else
          reporter.begin_event(view.is_exact(), &view);
        // No advice about a setting that the program leaves to its user.
        const bool gives_advice = !has_defaults(view);
        for (const Check* check : checks) {
          const bool applies = gives_advice || !check->rule->is_asked_for;
          if (check->on_event && applies) check->on_event(event, view, reporter);
        }
        reporter.end_event();
      });
  dataflow::run_program(engine, program, options.owns_root);
  coverage = engine.coverage();
  coverage.launches = std::move(launches);
  add_extension(program, coverage);
  if (!coverage.too_large.empty()) reporter.note_found(std::string(kLeftOut));
  if (places) *places = engine.take_places();
  if (files) *files = engine.take_files();
  reporter.settle(engine.doubtful_calls());
  return reporter.take();
}

}  // namespace placecheck::checks
