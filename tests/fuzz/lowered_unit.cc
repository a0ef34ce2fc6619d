#include "tests/fuzz/lowered_unit.h"

#include <sanitizer/lsan_interface.h>

#include "analyzer/checks/analyze.h"
#include "analyzer/findings/source_cache.h"
#include "analyzer/ir/link.h"
#include "analyzer/ir/parse.h"
#include "analyzer/ir/print.h"
#include "analyzer/ir/verify.h"

namespace {

bool parser_crashed = false;

}  // namespace

// Clang's crash recovery abandons what the parser had allocated; LeakSanitizer asks at exit.
int __lsan_is_turned_off() { return parser_crashed; }  // NOLINT(bugprone-reserved-identifier)

namespace placecheck::fuzz {

std::string check_lowered(const frontend::LowerResult& lowered) {
  // A crash of Clang's parser ends the file alone; Clang has some.
  if (lowered.crashed) {
    if (!lowered.first_error.ends_with("the parser crashed")) return lowered.first_error;
    parser_crashed = true;
    return "";
  }
  const ir::Unit& unit = lowered.unit;
  if (std::string broken = ir::to_string(ir::verify(unit)); !broken.empty())
    return "the unit is not sound: " + broken;
  std::string printed = ir::to_string(unit);
  ir::ParseResult parsed = ir::parse(printed);
  if (!parsed.ok()) return "what was printed does not parse";
  if (ir::to_string(parsed.unit) != printed) return "parsing what was printed changes it";
  const ir::Unit* units[] = {&unit};
  findings::SourceCache sources;
  for (const ir::Program& program : ir::link(units)) {
    dataflow::Coverage coverage;
    for (const findings::Finding& each : checks::analyze(program, {}, sources, coverage)) {
      if (each.rule.empty() || each.message.empty()) return "a finding without a rule or a text";
    }
  }
  return "";
}

}  // namespace placecheck::fuzz
