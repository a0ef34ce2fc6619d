#include "tests/oracle/judge.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "analyzer/checks/analyze.h"
#include "analyzer/dataflow/place_table.h"
#include "analyzer/findings/source_cache.h"
#include "analyzer/ir/link.h"
#include "analyzer/ir/verify.h"
#include "tests/oracle/readable.h"

namespace placecheck::oracle {
namespace {

constexpr size_t kMaxRuns = 4'000;

// What all runs together have shown.
struct Observed {
  size_t runs = 0;
  bool is_exhaustive = true;
  std::set<Line> failures;
  std::map<Line, std::set<Device>> places;
  std::set<const ir::Function*> entered;

  // The instruction belongs to a function that some run has entered. The checker looks at the
  // others as well, as at those of a library.
  bool is_of_entered(Line line) const {
    return std::ranges::any_of(entered, [&](const ir::Function* function) {
      return line >= function->range.line &&
             line <= function->blocks.back().instructions.back().range.line;
    });
  }
};

Observed observe(const ir::Program& program) {
  Observed observed;
  Choices choices;
  do {
    if (observed.runs == kMaxRuns) {
      observed.is_exhaustive = false;
      break;
    }
    ++observed.runs;
    const Run run = oracle::run(program, choices);
    if (!run.is_whole) observed.is_exhaustive = false;
    observed.failures.insert(run.failures.begin(), run.failures.end());
    for (const auto& [line, devices] : run.places)
      observed.places[line].insert(devices.begin(), devices.end());
    observed.entered.insert(run.entered.begin(), run.entered.end());
  } while (choices.advance());
  return observed;
}

// Where the analysis says that the value of an expression may be; empty where that is not known.
std::set<Device> claimed_places(const dataflow::PlacedExpression& expression,
                                const dataflow::PlaceTable& table) {
  std::set<Device> claimed;
  if (expression.has_more || expression.what != "tensor") return {};
  for (uint32_t each : expression.places) {
    const dataflow::DecidedPlace& place = table.places()[each];
    if (place.place_class == dataflow::PlaceClass::kCpu) {
      claimed.insert(Device::kCpu);
    } else if (place.place_class == dataflow::PlaceClass::kCuda) {
      if (place.index != 1) claimed.insert(Device::kCuda0);
      if (place.index != 0) claimed.insert(Device::kCuda1);
    } else {
      return {};
    }
  }
  return claimed;
}

std::string to_text(const std::set<Device>& devices) {
  std::string text;
  for (Device each : devices) text += (text.empty() ? "" : ", ") + std::string(name_of(each));
  return text;
}

void compare_places(const dataflow::PlaceTable& table, const Observed& observed,
                    Judgement& judgement) {
  for (const auto& [file, expressions] : table.files()) {
    for (const auto& [span, expression] : expressions) {
      const std::set<Device> claimed = claimed_places(expression, table);
      if (claimed.empty() || !observed.is_of_entered(span.line)) continue;
      ++judgement.known_places;
      const auto seen = observed.places.find(span.line);
      if (seen == observed.places.end()) continue;
      if (!std::ranges::includes(claimed, seen->second)) {
        judgement.violations.push_back(
            {Violation::Kind::kWrongPlace, span.line,
             "claimed: " + to_text(claimed) + "; seen: " + to_text(seen->second)});
      }
    }
  }
}

void compare_findings(const std::vector<findings::Finding>& findings, const Observed& observed,
                      Judgement& judgement) {
  std::set<Line> found;
  for (const findings::Finding& finding : findings) {
    const Line line = finding.range.line;
    if (!observed.is_of_entered(line)) continue;
    found.insert(line);
    if (observed.is_exhaustive && !observed.failures.contains(line))
      judgement.violations.push_back({Violation::Kind::kFalseAlarm, line, finding.message});
  }
  judgement.findings = found.size();
  judgement.failing = observed.failures.size();
  judgement.found = static_cast<size_t>(
      std::ranges::count_if(observed.failures, [&](Line line) { return found.contains(line); }));
}

// Calls `visit(list, position)` for each statement, until that says that the program has changed.
using Visit = std::function<bool(std::vector<Statement>&, size_t)>;
bool visit_statements(std::vector<Statement>& list, const Visit& visit) {
  for (size_t i = 0; i < list.size(); ++i) {
    if (visit(list, i)) return true;
    if (visit_statements(list[i].body, visit) || visit_statements(list[i].otherwise, visit))
      return true;
  }
  return false;
}

// The statement is left out, or what is inside takes its place.
std::vector<Statement> replacement(const Statement& statement, int way) {
  return way == 0 ? std::vector<Statement>() : way == 1 ? statement.body : statement.otherwise;
}

bool reduce_once(SourceProgram& program, const std::function<bool(const SourceProgram&)>& fails) {
  for (size_t function = 0; function < program.functions.size(); ++function) {
    for (int way = 0; way < 3; ++way) {
      const Visit visit = [&](std::vector<Statement>& list, size_t i) {
        const std::vector<Statement> instead = replacement(list[i], way);
        if (way > 0 && instead.empty()) return false;
        const std::vector<Statement> kept = list;
        list.erase(list.begin() + static_cast<std::ptrdiff_t>(i));
        list.insert(list.begin() + static_cast<std::ptrdiff_t>(i), instead.begin(), instead.end());
        if (fails(program)) return true;
        list = kept;
        return false;
      };
      if (visit_statements(program.functions[function].body, visit)) return true;
    }
  }
  return false;
}

}  // namespace

void Totals::add(const Judgement& judgement) {
  ++programs;
  exhaustive += judgement.is_exhaustive;
  too_large += judgement.is_too_large;
  violating += !judgement.violations.empty();
  findings += judgement.findings;
  failing += judgement.failing;
  found += judgement.found;
  known_places += judgement.known_places;
}

Judgement judge(const SourceProgram& program,
                const std::function<void(const std::string&)>& trace) {
  Judgement judgement;
  const ir::Unit unit = lower(program);
  const std::string errors = ir::to_string(ir::verify(unit));
  if (!errors.empty()) {
    judgement.violations.push_back({Violation::Kind::kInvalid, 0, errors});
    return judgement;
  }
  const ir::Unit* units[] = {&unit};
  const std::vector<ir::Program> programs = ir::link(units);
  const Observed observed = observe(programs.at(0));
  judgement.is_exhaustive = observed.is_exhaustive;

  checks::AnalyzeOptions options;
  options.rules = {"device-mismatch"};
  options.record_places = true;
  options.trace = trace;
  if (trace) options.trace_function = "main";
  findings::SourceCache sources;
  dataflow::Coverage coverage;
  dataflow::PlaceTable places;
  compare_findings(checks::analyze(programs[0], options, sources, coverage, &places), observed,
                   judgement);
  compare_places(places, observed, judgement);
  judgement.is_too_large = !coverage.too_large.empty();
  return judgement;
}

SourceProgram reduce(SourceProgram program, Violation::Kind kind) {
  auto fails = [&](const SourceProgram& changed) {
    return std::ranges::any_of(judge(changed).violations,
                               [&](const Violation& each) { return each.kind == kind; });
  };
  while (reduce_once(program, fails)) {
  }
  return program;
}

std::string report(const SourceProgram& program, const Judgement& judgement) {
  std::string text;
  for (const ir::Function& each : lower(program).functions) text += readable(each);
  for (const Violation& each : judgement.violations) {
    static constexpr const char* kKinds[] = {"false alarm", "wrong place", "invalid program"};
    text += "line " + std::to_string(each.line) + ": " + kKinds[static_cast<int>(each.kind)] +
            ": " + each.text + '\n';
  }
  return text;
}

}  // namespace placecheck::oracle
