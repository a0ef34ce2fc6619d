// discarded-transfer: a tensor's transfer is not in place, and its result is dropped.
#include "rules/discarded_transfer.h"

#include "analyzer/checks/check.h"
#include "analyzer/models/libraries/effects.h"

namespace placecheck::checks {
namespace {

bool is_transfer(const ir::Call& call) {
  std::optional<models::Effect> effect = models::find_effect(call.name);
  return effect == models::Effect::kTransfer || effect == models::Effect::kToCuda ||
         effect == models::Effect::kToCpu;
}

// `x.to(torch::kFloat)`, `x.to(y.dtype())`: a number, or options that name no device.
bool only_converts(const ir::Block& block, const ir::Call& call) {
  if (call.arguments.size() != 2) return false;
  const ir::Instruction* given = ir::find_definition(block, call.arguments[1].value);
  if (!given) return false;
  bool are_options = given->opcode == ir::Opcode::kCall && given->call.arguments.empty() &&
                     models::find_effect(given->call.name) == models::Effect::kMakeOptions;
  return are_options ||
         (given->opcode == ir::Opcode::kConst && std::holds_alternative<int64_t>(given->literal));
}

void report(const dataflow::Site& site, const dataflow::Site& receiver, const std::string& method,
            bool converts, Reporter& reporter) {
  std::string name = reporter.text_of(receiver);
  findings::Finding finding = reporter.start(
      rules::discarded_transfer::kRule, site,
      "the result of '" + (name.empty() ? "" : name + ".") + method + "' is dropped: a tensor's " +
          method + "() is not in place, so nothing " + (converts ? "is converted" : "moves"));
  if (!converts) finding.predicted_error = rules::discarded_transfer::message("cuda:0", "cpu");
  bool assignable = !name.empty() && name.find('(') == std::string::npos;
  if (assignable) {
    findings::SourceRange at = Reporter::range_of(site);
    at.end_line = at.line;
    at.end_column = at.column;
    finding.fix = "assign it: " + name + " = " + name + "." + method + "(...)";
    finding.fix_its.push_back({at, name + " = "});
  } else {
    finding.fix = converts ? "use the result, which is the converted tensor"
                           : "use the result, which is the tensor on the other device";
  }
  reporter.add(std::move(finding));
}

// Where the value decides whether it is a tensor that is moved.
void on_event(const dataflow::Event& event, const dataflow::View&, Reporter& reporter) {
  const auto* dropped = std::get_if<dataflow::DiscardedTransferEvent>(&event);
  if (!dropped) return;
  report(dropped->site, {dropped->site.unit, dropped->receiver}, dropped->method, false, reporter);
}

void on_function(const ir::Unit& unit, const ir::Function& function, Reporter& reporter) {
  for (const ir::Block& block : function.blocks) {
    for (const ir::Instruction& instruction : block.instructions) {
      bool dropped = instruction.opcode == ir::Opcode::kCall && instruction.call.discarded;
      if (dropped && !instruction.call.arguments.empty() && is_transfer(instruction.call)) {
        const ir::Call& call = instruction.call;
        report({&unit, instruction.range}, {&unit, call.arguments[0].range},
               call.name.substr(call.name.rfind(':') + 1), only_converts(block, call), reporter);
      }
    }
  }
}

}  // namespace

extern const Check kDiscardedTransfer{&rules::discarded_transfer::kRule, on_event, on_function};

}  // namespace placecheck::checks
