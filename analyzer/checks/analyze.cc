#include "analyzer/checks/analyze.h"

#include "analyzer/dataflow/exports.h"

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
  dataflow::Engine engine(program, engine_options,
                          [&](const dataflow::Event& event, const dataflow::View& view) {
                            reporter.begin_event(view.is_exact(), &view);
                            for (const Check* check : checks) {
                              if (check->on_event) check->on_event(event, view, reporter);
                            }
                            reporter.end_event();
                          });
  dataflow::run_program(engine, program, options.owns_root);
  coverage = engine.coverage();
  if (!coverage.too_large.empty()) reporter.note_found(std::string(kLeftOut));
  if (places) *places = engine.take_places();
  if (files) *files = engine.take_files();
  return reporter.take();
}

}  // namespace placecheck::checks
