#include "analyzer/checks/input_device_fix.h"

#include <algorithm>

#include "analyzer/ir/walk.h"

namespace placecheck::checks {
namespace {

using dataflow::Site;

// Factories that take a device as their last argument, or as `device=`.
constexpr std::string_view kFactories[] = {"arange",   "empty",  "eye",  "full",  "linspace",
                                           "logspace", "ones",   "rand", "randn", "randint",
                                           "randperm", "tensor", "zeros"};

// What is asked of tensors, and of little else.
constexpr std::string_view kTensorMembers[] = {"device", "dim",       "dtype",     "exp",
                                               "mul",    "permute",   "shape",     "size",
                                               "to",     "transpose", "unsqueeze", "view"};

template <typename Words>
bool is_one_of(std::string_view word, const Words& words) {
  return std::ranges::find(words, word) != std::end(words);
}

// The slot that a register was loaded from; empty if it was made in another way.
std::string loaded_slot(const ir::Block& block, ir::Register value) {
  const ir::Instruction* made = ir::find_definition(block, value);
  return made && made->opcode == ir::Opcode::kLoad ? made->symbol : "";
}

// The text that a register holds, where it is a literal.
std::string literal_text(const ir::Block& block, ir::Register value) {
  const ir::Instruction* made = ir::find_definition(block, value);
  const auto* text = made ? std::get_if<std::string>(&made->literal) : nullptr;
  return text ? *text : "";
}

// Whether a call asks its first argument what only tensors are asked.
bool is_question_to_tensor(const ir::Block& block, const ir::Call& call) {
  if (call.name != "object.get")
    return ir::is_untyped(call) && is_one_of(bare_name(call), kTensorMembers);
  return call.arguments.size() > 1 &&
         is_one_of(literal_text(block, call.arguments[1].value), kTensorMembers);
}

bool is_used_as_tensor(const ir::Function& function, const std::string& slot) {
  for (const ir::Block& block : function.blocks) {
    for (const ir::Instruction& each : block.instructions) {
      const bool is_of_slot = each.opcode == ir::Opcode::kCall && !each.call.arguments.empty() &&
                              loaded_slot(block, each.call.arguments[0].value) == slot;
      if (is_of_slot && is_question_to_tensor(block, each.call)) return true;
    }
  }
  return false;
}

bool is_stored_before(const ir::Function& function, const std::string& slot,
                      const ir::Range& range) {
  bool is_stored = false;
  ir::walk_instructions(function, [&](const ir::Instruction& each, ir::InstructionPlace) {
    is_stored |=
        each.opcode == ir::Opcode::kStore && each.symbol == slot && is_before(each.range, range);
  });
  return is_stored;
}

// A variable of the function that holds a tensor where `made` stands; empty if none is known.
std::string tensor_at_hand(const ir::Function& function, const Site& made, const Site& given,
                           Reporter& reporter) {
  auto is_tensor = [&](const ir::Parameter& each) {
    return each.type.kind == ir::TypeKind::kTensor ||
           (Reporter::is_python(made) && each.name != "this" &&
            is_used_as_tensor(function, each.name));
  };
  std::string name = reporter.source_of(given);
  if (!is_name(name) || !contains(function.range, given.range)) name.clear();
  for (const ir::Parameter& each : function.parameters) {
    if (!name.empty() && each.name == name && is_tensor(each)) return name;
  }
  for (const ir::Parameter& each : function.parameters) {
    if (!each.name.empty() && is_tensor(each)) return each.name;
  }
  return !name.empty() && is_stored_before(function, name, made.range) ? name : "";
}

// Options that an argument gives, in which the device becomes `device`.
FixIts with_device(const WrittenCall& call, const ir::Argument& options, const std::string& device,
                   Reporter& reporter) {
  const ir::Instruction* made = ir::find_definition(*call.block, options.value);
  const Site whole = call.site_of(options);
  auto is_device = [](const ir::Instruction* each) {
    return each && (std::holds_alternative<ir::DeviceLiteral>(each->literal) ||
                    each->call.type.kind == ir::TypeKind::kDevice);
  };
  if (is_device(made)) return {replace(whole, device)};
  for (const ir::Instruction* each = made; each && each->opcode == ir::Opcode::kCall;) {
    const std::string_view name = bare_name(each->call);
    const auto& arguments = each->call.arguments;
    const bool is_method = each->call.kind == ir::CallKind::kMethod;
    if (name == "device" && arguments.size() == (is_method ? 2u : 1u))
      return {replace(call.site_of(arguments.back()), device)};
    if (name == "TensorOptions" && arguments.size() == 1) {
      const ir::Instruction* given = ir::find_definition(*call.block, arguments[0].value);
      if (is_device(given)) return {replace(call.site_of(arguments[0]), device)};
      // A type that became options by itself.
      if (each == made && arguments[0].range == options.range)
        return {insert_before(whole, "torch::dtype("),
                insert_behind(whole, ").device(" + device + ")")};
    }
    each = is_method && !arguments.empty() ? ir::find_definition(*call.block, arguments[0].value)
                                           : nullptr;
  }
  return add_suffix(whole, ".device(" + device + ")", reporter);
}

bool is_options(const WrittenCall& call, const ir::Argument& argument) {
  const ir::Instruction* made = ir::find_definition(*call.block, argument.value);
  if (!made) return false;
  const ir::TypeKind kind = made->call.type.kind;
  return std::holds_alternative<ir::DeviceLiteral>(made->literal) ||
         kind == ir::TypeKind::kOptions || kind == ir::TypeKind::kDevice;
}

FixIts make_there(const WrittenCall& call, const std::string& device, Reporter& reporter) {
  if (!is_one_of(call.name(), kFactories))
    return add_suffix(call.site(), ".to(" + device + ")", reporter);
  if (Reporter::is_python(call.site())) {
    for (const ir::Argument& each : call.call().arguments) {
      if (each.name == "device") return {replace(call.site_of(each), device)};
    }
    return add_argument(call, "device=" + device, reporter);
  }
  for (const ir::Argument& each : call.call().arguments) {
    if (is_options(call, each)) return with_device(call, each, device, reporter);
  }
  return add_argument(call, device, reporter);
}

// `x.to("cuda")` and `x.cuda()`.
FixIts move_there(const WrittenCall& call, const std::string& tensor, const std::string& device,
                  Reporter& reporter) {
  const auto& arguments = call.call().arguments;
  if (arguments.empty() || reporter.source_of(call.site_of(arguments[0])) == tensor) return {};
  if (call.name() == "to" && arguments.size() == 2)
    return {replace(call.site_of(arguments[1]), device)};
  const bool is_named = call.name() == "cuda" || call.name() == "cpu";
  if (!is_named || !contains(call.instruction->range, arguments[0].range)) return {};
  Site rest = call.site();
  rest.range.line = arguments[0].range.end_line;
  rest.range.column = arguments[0].range.end_column;
  return {replace(rest, ".to(" + device + ")")};
}

}  // namespace

FixIts put_on_input_device(const dataflow::Origin& origin, const dataflow::Operand& given,
                           const dataflow::MeetEvent& meet, Reporter& reporter) {
  const std::optional<WrittenCall> call = call_at(origin.site);
  if (!call) return {};
  const Site other{meet.site.unit, given.range};
  const std::string tensor = tensor_at_hand(*call->function, origin.site, other, reporter);
  if (tensor.empty()) return {};
  const std::string device = tensor + (Reporter::is_python(call->site()) ? ".device" : ".device()");
  if (origin.kind == dataflow::OriginKind::kMoved)
    return move_there(*call, tensor, device, reporter);
  return make_there(*call, device, reporter);
}

}  // namespace placecheck::checks
