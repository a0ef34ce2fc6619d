#include "analyzer/dataflow/python_callers.h"

#include <algorithm>
#include <optional>
#include <set>

namespace placecheck::dataflow {
namespace {

std::string last_component(const std::string& name) { return name.substr(name.rfind('.') + 1); }

// The calls to the functions of one name.
struct Calls {
  std::optional<Site> selected;  // one with a device selected around it
  std::set<std::string> from;    // the functions that call it without one
};

class Callers {
 public:
  void add(const ir::Unit& unit, const ir::Function& function) {
    std::set<std::string> contexts;  // the `with` statements around that select a device
    bool is_selected = false;        // for the rest of the function
    for (const ir::Block& block : function.blocks) {
      for (const ir::Instruction& each : block.instructions) {
        if (each.opcode == ir::Opcode::kStore && is_context(block, each.operands[0]))
          contexts.insert(each.symbol);
        if (each.opcode == ir::Opcode::kExit) contexts.erase(each.symbol);
        if (each.opcode != ir::Opcode::kCall) continue;
        is_selected |= each.call.name == "torch.cuda.set_device";
        Calls& calls = calls_[last_component(each.call.name)];
        if (!is_selected && contexts.empty())
          calls.from.insert(last_component(function.name));
        else if (!calls.selected)
          calls.selected = Site{&unit, each.range};
      }
    }
  }

  // A function that selects no device has its caller's: it may wrap the extension.
  PythonCallers take() {
    while (
        std::erase_if(calls_, [&](const auto& each) { return is_called_without(each.second); })) {
    }
    PythonCallers found;
    for (bool grows = true; grows;) {
      grows = false;
      for (const auto& [name, calls] : calls_) {
        const std::optional<Site> site = witness(calls, found);
        grows |= site && found.try_emplace(name, *site).second;
      }
    }
    return found;
  }

 private:
  static bool is_context(const ir::Block& block, ir::Register value) {
    const ir::Instruction* made = ir::find_definition(block, value);
    return made && made->opcode == ir::Opcode::kCall &&
           (made->call.name == "torch.cuda.device" || made->call.name == "torch.cuda.device_of");
  }

  bool is_called_without(const Calls& calls) const {
    return std::ranges::any_of(calls.from,
                               [&](const std::string& each) { return !calls_.contains(each); });
  }

  static std::optional<Site> witness(const Calls& calls, const PythonCallers& known) {
    if (calls.selected) return calls.selected;
    for (const std::string& each : calls.from) {
      if (const auto caller = known.find(each); caller != known.end()) return caller->second;
    }
    return std::nullopt;
  }

  std::map<std::string, Calls> calls_;
};

}  // namespace

PythonCallers callers_with_device(std::span<const ir::Unit* const> units) {
  Callers callers;
  for (const ir::Unit* unit : units) {
    if (unit->files.empty() || !ir::is_python(unit->files[0])) continue;
    for (const ir::Function& function : unit->functions) callers.add(*unit, function);
  }
  return callers.take();
}

}  // namespace placecheck::dataflow
