#include "analyzer/checks/load_device_fix.h"

#include <optional>

namespace placecheck::checks {
namespace {

// A call in the function of `call`, before it, of `method` on what is written as `receiver`.
std::optional<WrittenCall> call_before(const WrittenCall& call, std::string_view method,
                                       const std::string& receiver, Reporter& reporter) {
  std::optional<WrittenCall> found;
  for (const ir::Block& block : call.function->blocks) {
    for (const ir::Instruction& each : block.instructions) {
      const bool fits = each.opcode == ir::Opcode::kCall && bare_name(each.call) == method &&
                        each.call.arguments.size() == 2 &&
                        is_before(each.range, call.instruction->range);
      if (!fits) continue;
      if (receiver_text({call.unit, each.call.arguments[0].range}, reporter) == receiver)
        found = WrittenCall{call.unit, call.function, &block, &each};
    }
  }
  return found;
}

// The device to which `target` was moved before, as it is written there; else the one of its
// parameters where it is a module that was moved somewhere; else a literal.
std::string device_for(const WrittenCall& call, const ir::Argument& target,
                       const dataflow::Origin& loaded, const dataflow::Place& used,
                       Reporter& reporter) {
  const std::string name = receiver_text(call.site_of(target), reporter);
  if (!is_name(name)) return device_expression(used, call.site());
  if (const auto move = call_before(call, "to", name, reporter)) {
    const std::string device = reporter.source_of(move->site_of(move->call().arguments[1]));
    if (is_name(device)) return device;
  }
  const bool was_moved = loaded.displaced.is_known() && !loaded.displaced.is_cpu();
  const ir::Instruction* made = ir::find_definition(*call.block, target.value);
  const bool is_module =
      made && (made->call.type.kind == ir::TypeKind::kModule || made->opcode != ir::Opcode::kCall);
  if (was_moved && is_module && !Reporter::is_python(call.site()))
    return name + "->parameters().front().device()";
  return device_expression(used, call.site());
}

}  // namespace

FixIts give_device(const dataflow::Origin& loaded, const dataflow::Place& used,
                   Reporter& reporter) {
  const std::optional<WrittenCall> call = call_at(loaded.site);
  if (!call || call->name() != "load" || call->call().arguments.empty()) return {};
  const auto& arguments = call->call().arguments;
  if (Reporter::is_python(call->site())) {
    const std::string device = device_expression(used, call->site());
    return device.empty() ? FixIts{} : add_argument(*call, "map_location=" + device, reporter);
  }
  const bool is_archive = call->call().kind == ir::CallKind::kMethod;
  if (arguments.size() == 1 && !is_archive) {  // a scripted module, by its file's name
    const std::string device = device_expression(used, call->site());
    return device.empty() ? FixIts{} : add_argument(*call, device, reporter);
  }
  const std::string device = device_for(*call, arguments[0], loaded, used, reporter);
  if (device.empty() || arguments.size() != 2) return {};
  if (!is_archive) return add_argument(*call, device, reporter);
  // The archive reads the file.
  const std::string archive = reporter.source_of(call->site_of(arguments[1]));
  const auto read = call_before(*call, "load_from", archive, reporter);
  return read ? add_argument(*read, device, reporter) : FixIts{};
}

}  // namespace placecheck::checks
