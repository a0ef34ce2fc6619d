#include "analyzer/dataflow/harness.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "analyzer/ir/builder.h"
#include "analyzer/models/libraries/effects.h"

namespace placecheck::dataflow {
namespace {

constexpr char kObject[] = "object";
constexpr char kDevice[] = "device";
constexpr char kHost[] = "host";

// The unit's own; what other units define is their classes' affair.
const ir::Function* function_of(const ir::Program& program, const ir::Unit& unit,
                                const std::string& key) {
  const ir::Function* found = program.find_function(key, &unit);
  return found && program.unit_of(*found) == &unit ? found : nullptr;
}

bool takes_device(const ir::Function& function) {
  return std::any_of(
      function.parameters.begin(), function.parameters.end(),
      [](const ir::Parameter& each) { return each.type.kind == ir::TypeKind::kDevice; });
}

bool moves_module(const ir::Instruction& instruction) {
  return instruction.opcode == ir::Opcode::kCall &&
         models::find_effect(instruction.call.name) == models::Effect::kModuleMove;
}

// The members that a method stores to, or moves, or hands to somebody who may.
void add_written_fields(const ir::Function& method, std::set<std::string>& fields) {
  for (const ir::Block& block : method.blocks) {
    std::vector<std::pair<ir::Register, std::string>> addresses;
    for (const ir::Instruction& each : block.instructions) {
      if (each.opcode == ir::Opcode::kField) addresses.emplace_back(each.result, each.symbol);
      const bool moves = moves_module(each) && !each.call.arguments.empty();
      if (each.opcode != ir::Opcode::kAssign && !moves) continue;
      const ir::Register changed = moves ? each.call.arguments[0].value : each.operands[0];
      for (const auto& [address, field] : addresses) {
        if (address == changed) fields.insert(field);
      }
    }
  }
}

void add_called_keys(const ir::Function& function, std::set<std::string>& keys) {
  for (const ir::Block& block : function.blocks) {
    for (const ir::Instruction& each : block.instructions) {
      if (each.opcode == ir::Opcode::kCall && !each.call.key.empty()) keys.insert(each.call.key);
    }
  }
}

struct OwnMethod {
  const ir::Method* method;
  const ir::Function* function;
};

class HarnessBuilder {
 public:
  explicit HarnessBuilder(const ir::Class& type) : type_(type), builder_(function_) {
    function_.key = "harness of " + type.key;
    function_.name = function_.key;
    function_.is_exported = false;
    function_.parameters.push_back({kDevice, {ir::TypeKind::kDevice, {}, {}}, false, {}, {}});
    builder_.new_slot(kDevice, function_.parameters[0].type, {});
    builder_.new_slot(kObject, {ir::TypeKind::kRecord, type.key, {}}, {});
    builder_.new_slot(kHost, function_.parameters[0].type, {});
    builder_.store(kHost, builder_.constant(ir::DeviceLiteral{"cpu"}));
  }

  // What is moved later is made on the CPU.
  void construct(const ir::Function& constructor, bool is_moved) {
    ir::Call call;
    call.kind = ir::CallKind::kConstruct;
    call.name = type_.name;
    call.key = type_.key;
    add_arguments(call, constructor, is_moved ? kHost : kDevice);
    builder_.store(kObject, builder_.call(std::move(call)));
  }

  void call_method(const ir::Method& method, const ir::Function& function) {
    ir::Call call;
    call.kind = ir::CallKind::kMethod;
    call.name = type_.name + "::" + method.name;
    call.key = method.key;
    call.arguments.push_back({builder_.load(kObject), {}, {}});
    add_arguments(call, function, kDevice);
    builder_.call(std::move(call));
  }

  // As users of modules do, whether or not the constructor has put everything there already.
  void move_module() {
    ir::Call call;
    call.kind = ir::CallKind::kMethod;
    call.name = "torch::nn::Module::to";
    call.arguments.push_back({builder_.load(kObject), {}, {}});
    call.arguments.push_back({builder_.load(kDevice), {}, {}});
    builder_.call(std::move(call));
  }

  void forget(const std::set<std::string>& fields) {
    for (const std::string& name : fields) {
      const ir::Register field = builder_.field(builder_.load(kObject), name);
      builder_.assign(field, builder_.unknown());
    }
  }

  // Each of them may be the one that is called.
  void call_one_of(const std::vector<OwnMethod>& methods) {
    for (const OwnMethod& each : methods) {
      const uint32_t calls = builder_.new_block();
      const uint32_t next = builder_.new_block();
      builder_.branch(builder_.unknown(), calls, next);
      builder_.enter(calls);
      call_method(*each.method, *each.function);
      builder_.ret();
      builder_.enter(next);
    }
  }

  ir::Function take() {
    builder_.finish();
    return std::move(function_);
  }

 private:
  // Of what is no device nothing is known.
  void add_arguments(ir::Call& call, const ir::Function& callee, const std::string& device) {
    for (const ir::Parameter& parameter : callee.parameters) {
      if (parameter.name == "this") continue;
      std::string slot = device;
      if (parameter.type.kind != ir::TypeKind::kDevice) {
        slot = builder_.new_slot(parameter.name, parameter.type, {});
        function_.parameters.push_back({slot, parameter.type, false, {}, {}});
      }
      call.arguments.push_back({builder_.load(slot), {}, {}});
    }
  }

  const ir::Class& type_;
  ir::Function function_;
  ir::Builder builder_;
};

const ir::Function* constructor_of(const ir::Program& program, const ir::Unit& unit,
                                   const ir::Class& type, bool with_device) {
  const ir::Function* chosen = nullptr;
  for (const ir::Method& method : type.methods) {
    const ir::Function* function =
        method.is_constructor ? function_of(program, unit, method.key) : nullptr;
    if (!function) continue;
    if (takes_device(*function)) return function;
    if (!chosen && !with_device) chosen = function;
  }
  return chosen;
}

}  // namespace

const ir::Method* mover_of(const ir::Program& program, const ir::Unit& unit,
                           const ir::Class& type) {
  for (const ir::Method& method : type.methods) {
    const ir::Function* function =
        method.name == "to" ? function_of(program, unit, method.key) : nullptr;
    if (function && function->parameters.size() > 1 &&
        function->parameters[1].type.kind == ir::TypeKind::kDevice)
      return &method;
  }
  return nullptr;
}

std::optional<ir::Function> make_harness(const ir::Program& program, const ir::Unit& unit,
                                         const ir::Class& type) {
  const ir::Method* mover = mover_of(program, unit, type);
  const ir::Function* moves = mover ? function_of(program, unit, mover->key) : nullptr;
  const ir::Function* constructor = constructor_of(program, unit, type, /*with_device=*/!mover);
  if (!constructor) return std::nullopt;
  std::set<std::string> preparing;
  add_called_keys(*constructor, preparing);
  if (moves) add_called_keys(*moves, preparing);
  std::vector<OwnMethod> methods;
  std::set<std::string> written;
  for (const ir::Method& method : type.methods) {
    const ir::Function* function = function_of(program, unit, method.key);
    if (!function || method.is_constructor || &method == mover) continue;
    methods.push_back({&method, function});
    if (!preparing.count(method.key)) add_written_fields(*function, written);
  }
  if (methods.empty()) return std::nullopt;
  HarnessBuilder builder(type);
  builder.construct(*constructor, mover != nullptr);
  if (moves) builder.call_method(*mover, *moves);
  if (!moves && type.is_module) builder.move_module();
  builder.forget(written);
  builder.call_one_of(methods);
  return builder.take();
}

}  // namespace placecheck::dataflow
