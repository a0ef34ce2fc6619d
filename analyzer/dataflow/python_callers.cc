#include "analyzer/dataflow/python_callers.h"

#include <set>
#include <string_view>

namespace placecheck::dataflow {
namespace {

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
        note_call(each, {&unit, each.range}, is_selected || !contexts.empty());
      }
    }
  }

  PythonCallers take() {
    for (const std::string& each : without_) with_.erase(each);
    return std::move(with_);
  }

 private:
  static bool is_context(const ir::Block& block, ir::Register value) {
    const ir::Instruction* made = ir::find_definition(block, value);
    return made && made->opcode == ir::Opcode::kCall &&
           (made->call.name == "torch.cuda.device" || made->call.name == "torch.cuda.device_of");
  }

  void note_call(const ir::Instruction& call, const Site& site, bool has_device) {
    const std::string& name = call.call.name;
    const std::string last = name.substr(name.rfind('.') + 1);
    if (has_device)
      with_.try_emplace(last, site);
    else
      without_.insert(last);
  }

  PythonCallers with_;
  std::set<std::string> without_;
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
