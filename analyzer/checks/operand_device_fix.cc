#include "analyzer/checks/operand_device_fix.h"

#include <algorithm>
#include <utility>

#include "analyzer/dataflow/effects.h"
#include "llvm/ADT/StringRef.h"

namespace placecheck::checks {
namespace {

using dataflow::MeetEvent;
using dataflow::Operand;
using dataflow::Origin;
using dataflow::Site;

std::string written_at(const MeetEvent& meet, const Operand& operand, Reporter& reporter) {
  const bool is_within = contains(meet.site.range, operand.range) && !operand.is_part;
  return is_within ? receiver_text({meet.site.unit, operand.range}, reporter) : "";
}

// Where an inner block declares the name again, it may mean the other variable at the place of the
// fix.
bool is_declared_twice(const ir::Function& function, const std::string& variable) {
  return std::ranges::any_of(function.slots, [&](const ir::Slot& slot) {
    return llvm::StringRef(slot.name).starts_with(variable + ".");
  });
}

// The device as the program names it where it moved the operand, earlier in the same function.
std::string device_of_move(const MeetEvent& meet, const Origin& origin, Reporter& reporter) {
  const bool is_earlier = origin.kind == dataflow::OriginKind::kMoved &&
                          origin.site.unit == meet.site.unit &&
                          is_before(origin.site.range, meet.site.range);
  if (!is_earlier || function_at(origin.site) != function_at(meet.site)) return "";
  const std::optional<WrittenCall> move = call_at(origin.site);
  if (!move || move->name() != "to" || move->call().arguments.size() < 2) return "";
  const std::string device = reporter.source_of(move->site_of(move->call().arguments[1]));
  const bool is_variable = is_name(device) && device.find("::k") == std::string::npos;
  return is_variable && !is_declared_twice(*function_at(meet.site), device) ? device : "";
}

// Whether any of the module's tensors may be asked for the device of all.
bool is_all_at(const dataflow::View& view, dataflow::ObjectId module,
               const dataflow::Place& place) {
  std::vector<std::pair<std::string, dataflow::Value>> tensors;
  if (module == dataflow::kNoObject ||
      !registered_tensors(view.state, view.names, module, "", tensors) || tensors.empty())
    return false;
  return std::ranges::all_of(
      tensors, [&](const auto& each) { return view.state.decider_of(each.second).place == place; });
}

// "->" or "." as it stands behind the receiver, or what a holder that is called has.
std::string member_access(const MeetEvent& meet, const std::string& name, Reporter& reporter) {
  const std::string call = reporter.source_of(meet.site);
  const bool is_object =
      Reporter::is_python(meet.site) || llvm::StringRef(call).starts_with(name + ".");
  return is_object ? "." : "->";
}

// What is called: of `self.stage(x)` not the receiver alone.
std::string called_module(const MeetEvent& meet, const std::string& receiver, Reporter& reporter) {
  const std::string call = reporter.source_of(meet.site);
  llvm::StringRef callee = llvm::StringRef(call).split('(').first;
  callee.consume_back(".forward");
  return callee.starts_with(receiver) ? callee.str() : receiver;
}

std::string device_of_module(const MeetEvent& meet, const Operand& module, const std::string& name,
                             const dataflow::View& view, Reporter& reporter) {
  if (meet.operation.find("::jit::") != std::string::npos ||
      !is_all_at(view, module.module, module.place))
    return "";
  if (Reporter::is_python(meet.site))
    return "next(" + called_module(meet, name, reporter) + ".parameters()).device";
  return name + member_access(meet, name, reporter) + "parameters().front().device()";
}

// A device that only a variable names may be the CPU in another run.
bool is_written_as_gpu(const Origin& origin, Reporter& reporter) {
  return llvm::StringRef(reporter.source_of(origin.site)).contains_insensitive("cuda");
}

std::string device_of(const MeetEvent& meet, const Operand& operand, const dataflow::View& view,
                      Reporter& reporter) {
  std::string device = device_of_move(meet, view.origins[operand.origin], reporter);
  const std::string name = written_at(meet, operand, reporter);
  if (device.empty() && is_name(name)) {
    if (operand.is_module_state)
      device = device_of_module(meet, operand, name, view, reporter);
    else
      device = name + (Reporter::is_python(meet.site) ? ".device" : ".device()");
  }
  // In a forward a device that is written there is right for one caller only.
  if (!device.empty() || view.in_forward) return device;
  if (!operand.place.is_cpu() && !is_written_as_gpu(view.origins[operand.origin], reporter))
    return "";
  return device_expression(operand.place, meet.site);
}

// All that are where `moved` is: of several the operation would refuse the next one.
FixIts move_tensors(const MeetEvent& meet, const Operand& moved, const std::string& device,
                    Reporter& reporter) {
  FixIts all;
  for (const Operand& each : meet.operands) {
    const bool is_like_it = each.place == moved.place && !each.is_module_state && !each.is_written;
    if (!is_like_it) continue;
    const Site site{meet.site.unit, each.range};
    const std::string text = written_at(meet, each, reporter);
    // A receiver's range may have the `.` behind it.
    if (text.empty() || text != reporter.source_of(site) || is_spread(site, text)) return {};
    for (findings::FixIt& fix_it : add_suffix(site, ".to(" + device + ")", reporter)) {
      if (std::ranges::find(all, fix_it) == all.end()) all.push_back(std::move(fix_it));
    }
  }
  return all;
}

FixIts move_module(const MeetEvent& meet, const Operand& module, const std::string& device,
                   const dataflow::View& view, Reporter& reporter) {
  const std::string name = written_at(meet, module, reporter);
  // A forward does not move its own layers: its caller moves all of them.
  if (view.in_forward || !is_name(name) || name == "this" || name == "self") return {};
  const std::string access = member_access(meet, name, reporter);
  const std::string end = Reporter::is_python(meet.site) ? ")" : ");";
  return add_statement_before(meet.site, name + access + "to(" + device + end, reporter);
}

}  // namespace

bool was_left_behind(const Operand& operand, const Operand& other, const dataflow::View& view) {
  return operand.is_module_state && is_all_at(view, operand.module, other.place);
}

Conflict moved_and_kept(const Conflict& conflict) {
  // What is written in place stays, and of two GPUs the module's is the one that is meant.
  const Operand& first = *conflict.first;
  const bool is_of_two_gpus = !first.place.is_cpu() && first.is_module_state;
  const bool stays = first.is_written || is_of_two_gpus;
  return stays ? Conflict{conflict.second, conflict.first} : conflict;
}

FixIts put_on_other_device(const MeetEvent& meet, const Conflict& conflict,
                           const dataflow::View& view, Reporter& reporter) {
  const auto [moved, other] = moved_and_kept(conflict);
  if (moved->is_written || was_left_behind(*moved, *other, view)) return {};
  const std::string device = device_of(meet, *other, view, reporter);
  if (device.empty()) return {};
  if (moved->is_module_state) return move_module(meet, *moved, device, view, reporter);
  return move_tensors(meet, *moved, device, reporter);
}

}  // namespace placecheck::checks
