// discarded-transfer: a tensor's transfer is not in place, and its result is dropped.
#include "rules/discarded_transfer.h"

#include <algorithm>

#include "analyzer/checks/check.h"
#include "analyzer/checks/edits.h"
#include "analyzer/ir/walk.h"
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

bool is_variable(const ir::Instruction& instruction, ir::Opcode opcode, const std::string& name) {
  return instruction.opcode == opcode &&
         (instruction.symbol == name || instruction.symbol.ends_with(":" + name));
}

// The variable of a loop in Python, which names an element that is somewhere else as well.
struct LoopVariable {
  bool is_used_later = false;
  std::string element;  // the element itself, "batch[key]", where it is known how to write it
};

// The slot that takes the key where `block` takes an item of a table apart.
std::string key_of_items(const ir::Block& block) {
  for (const ir::Instruction& each : block.instructions) {
    if (each.opcode != ir::Opcode::kStore) continue;
    const ir::Instruction* part = ir::find_definition(block, each.operands[0]);
    if (!part || part->call.name != "object.part" || part->call.arguments.size() != 3) continue;
    const ir::Instruction* index = ir::find_definition(block, part->call.arguments[1].value);
    const auto* number = index ? std::get_if<int64_t>(&index->literal) : nullptr;
    if (number && *number == 0) return each.symbol.substr(each.symbol.rfind(':') + 1);
  }
  return "";
}

// The table whose items() are looped over at `range`, as it is written.
std::string table_of_items(const ir::Unit& unit, const ir::Function& function,
                           const ir::Range& range, Reporter& reporter) {
  for (const ir::Block& block : function.blocks) {
    for (const ir::Instruction& each : block.instructions) {
      if (each.range == range && each.call.name == ".items" && !each.call.arguments.empty())
        return reporter.source_of({&unit, each.call.arguments[0].range});
    }
  }
  return "";
}

std::optional<LoopVariable> find_loop_variable(const dataflow::Site& site, const std::string& name,
                                               Reporter& reporter) {
  const ir::Function* function = Reporter::is_python(site) ? function_at(site) : nullptr;
  if (!function) return std::nullopt;
  LoopVariable found;
  std::string key, table;
  bool is_one = false;
  for (const ir::Block& block : function->blocks) {
    const ir::Instruction* element = nullptr;
    for (const ir::Instruction& each : block.instructions) {
      if (each.call.name == "loop.element") element = &each;
      found.is_used_later |=
          is_variable(each, ir::Opcode::kLoad, name) && is_before(site.range, each.range);
      if (!element || !is_variable(each, ir::Opcode::kStore, name)) continue;
      is_one = true;
      key = key_of_items(block);
      table = table_of_items(*site.unit, *function, element->range, reporter);
    }
  }
  if (!is_one) return std::nullopt;
  if (is_name(table) && !key.empty() && key != name) found.element = table + "[" + key + "]";
  return found;
}

// What to assign the result to, so that what is moved is used; empty if that is not known.
std::string target_of(const dataflow::Site& site, const std::string& name, Reporter& reporter) {
  if (name.empty() || name.find_first_of("(\n") != std::string::npos) return "";
  const std::optional<LoopVariable> variable = find_loop_variable(site, name, reporter);
  return !variable || variable->is_used_later ? name : variable->element;
}

void report(const dataflow::Site& site, const dataflow::Site& receiver, const std::string& method,
            bool converts, Reporter& reporter) {
  std::string name = reporter.text_of(receiver);
  findings::Finding finding = reporter.start(
      rules::discarded_transfer::kRule, site,
      "the result of '" + (name.empty() ? "" : name + ".") + method + "' is dropped: a tensor's " +
          method + "() is not in place, so nothing " + (converts ? "is converted" : "moves"));
  if (!converts) finding.predicted_error = rules::discarded_transfer::message("cuda:0", "cpu");
  const std::string whole = receiver_text(receiver, reporter);
  if (const std::string target = target_of(site, whole, reporter); !target.empty()) {
    finding.fix = "assign it: " + target + " = " + name + "." + method + "(...)";
    finding.fix_its = {insert_before(site, target + " = ")};
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
  report(dropped->site, {dropped->site.unit, dropped->receiver}, dropped->method, dropped->converts,
         reporter);
}

bool is_used(const ir::Instruction& instruction, ir::Register value) {
  const auto is_it = [&](const ir::Argument& each) { return each.value == value; };
  return std::ranges::count(instruction.operands, value) != 0 ||
         std::ranges::any_of(instruction.call.arguments, is_it);
}

// Whether every use of a register fits.
template <typename Fits>
bool all_uses_fit(const ir::Function& function, ir::Register value, Fits fits) {
  bool fit = true;
  ir::walk_instructions(function, [&](const ir::Instruction& each, ir::InstructionPlace) {
    fit = fit && (!is_used(each, value) || fits(each));
  });
  return fit;
}

// Whether the variable holds a list of a module's parameters into which elements are put, and of
// which nothing but the length is read.
bool is_unread_list_of_parameters(const ir::Function& function, const std::string& variable) {
  const auto is_assigned = [](ir::Register element) {
    return [=](const ir::Instruction& use) {
      return use.opcode == ir::Opcode::kAssign && use.operands[0] == element;
    };
  };
  const auto reads_nothing = [&](const ir::Instruction& use) {
    if (use.opcode == ir::Opcode::kIndex)
      return all_uses_fit(function, use.result, is_assigned(use.result));
    return use.opcode == ir::Opcode::kCall && use.call.name == "std::vector::size";
  };
  size_t stores = 0;
  bool fits = true;
  for (const ir::Block& block : function.blocks) {
    for (const ir::Instruction& each : block.instructions) {
      if (each.symbol != variable) continue;
      if (each.opcode == ir::Opcode::kStore) {
        const ir::Instruction* made = ir::find_definition(block, each.operands[0]);
        fits = fits && made && made->call.name == "torch::nn::Module::parameters";
        ++stores;
      } else if (each.opcode == ir::Opcode::kRef) {
        fits = fits && all_uses_fit(function, each.result, reads_nothing);
      } else if (each.opcode != ir::Opcode::kExit) {
        fits = false;
      }
    }
  }
  return fits && stores == 1;
}

void report_unread(const ir::Unit& unit, const ir::Instruction& assignment, Reporter& reporter) {
  findings::Finding finding = reporter.start(
      rules::discarded_transfer::kRule, {&unit, assignment.range},
      "what is moved is put into the list that parameters() has returned, which nothing reads: the "
      "module keeps its own tensors");
  finding.predicted_error = "no error: the module's parameters stay as they are";
  finding.fix = "copy the values under torch::NoGradGuard: list[i].copy_(...)";
  reporter.add(std::move(finding));
}

void find_unread_elements(const ir::Unit& unit, const ir::Function& function,
                          const ir::Block& block, const ir::Instruction& assignment,
                          Reporter& reporter) {
  const ir::Instruction* element = ir::find_definition(block, assignment.operands[0]);
  const ir::Instruction* value = ir::find_definition(block, assignment.operands[1]);
  const bool moves = value && value->opcode == ir::Opcode::kCall && is_transfer(value->call);
  if (!moves || !element || element->opcode != ir::Opcode::kIndex) return;
  const ir::Instruction* list = ir::find_definition(block, element->operands[0]);
  if (list && list->opcode == ir::Opcode::kRef && !list->symbol.starts_with("@") &&
      is_unread_list_of_parameters(function, list->symbol))
    report_unread(unit, assignment, reporter);
}

void on_function(const ir::Unit& unit, const ir::Function& function, Reporter& reporter) {
  for (const ir::Block& block : function.blocks) {
    for (const ir::Instruction& instruction : block.instructions) {
      if (instruction.opcode == ir::Opcode::kAssign)
        find_unread_elements(unit, function, block, instruction, reporter);
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
