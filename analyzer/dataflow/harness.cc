#include "analyzer/dataflow/harness.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

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

// The members that a method stores to, or hands to somebody who may.
void add_written_fields(const ir::Function& method, std::set<std::string>& fields) {
  for (const ir::Block& block : method.blocks) {
    std::vector<std::pair<ir::Register, std::string>> addresses;
    for (const ir::Instruction& each : block.instructions) {
      if (each.opcode == ir::Opcode::kField) addresses.emplace_back(each.result, each.symbol);
      if (each.opcode != ir::Opcode::kAssign) continue;
      for (const auto& [address, field] : addresses) {
        if (address == each.operands[0]) fields.insert(field);
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
  explicit HarnessBuilder(const ir::Class& type) : type_(type) {
    function_.key = "harness of " + type.key;
    function_.name = function_.key;
    function_.is_exported = false;
    function_.parameters.push_back({kDevice, {ir::TypeKind::kDevice, {}, {}}, false, {}, {}});
    function_.slots.push_back({kDevice, function_.parameters[0].type, {}});
    function_.slots.push_back({kObject, {ir::TypeKind::kRecord, type.key, {}}, {}});
    function_.slots.push_back({kHost, function_.parameters[0].type, {}});
    new_block();
    store_host();
  }

  // What is moved later is made on the CPU.
  void construct(const ir::Function& constructor, bool is_moved) {
    ir::Call call;
    call.kind = ir::CallKind::kConstruct;
    call.name = type_.name;
    call.key = type_.key;
    add_arguments(call, constructor, is_moved ? kHost : kDevice);
    ir::Instruction store;
    store.opcode = ir::Opcode::kStore;
    store.symbol = kObject;
    store.operands = {emit(std::move(call))};
    add(std::move(store));
  }

  void call_method(const ir::Method& method, const ir::Function& function) {
    ir::Call call;
    call.kind = ir::CallKind::kMethod;
    call.name = type_.name + "::" + method.name;
    call.key = method.key;
    call.arguments.push_back({load(kObject), {}, {}});
    add_arguments(call, function, kDevice);
    emit(std::move(call));
  }

  // As users of modules do, whether or not the constructor has put everything there already.
  void move_module() {
    ir::Call call;
    call.kind = ir::CallKind::kMethod;
    call.name = "torch::nn::Module::to";
    call.arguments.push_back({load(kObject), {}, {}});
    call.arguments.push_back({load(kDevice), {}, {}});
    emit(std::move(call));
  }

  void forget(const std::set<std::string>& fields) {
    for (const std::string& name : fields) {
      ir::Instruction field;
      field.opcode = ir::Opcode::kField;
      field.symbol = name;
      field.operands = {load(kObject)};
      ir::Register address = add_with_result(std::move(field));
      ir::Instruction assign;
      assign.opcode = ir::Opcode::kAssign;
      assign.operands = {address, emit(ir::Call())};
      add(std::move(assign));
    }
  }

  // Each of them may be the one that is called.
  void call_one_of(const std::vector<OwnMethod>& methods) {
    for (const OwnMethod& each : methods) {
      ir::Instruction branch;
      branch.opcode = ir::Opcode::kBranch;
      branch.operands = {emit(ir::Call())};
      uint32_t at = static_cast<uint32_t>(function_.blocks.size());
      branch.targets = {at, at + 1};
      add(std::move(branch));
      new_block();
      call_method(*each.method, *each.function);
      finish();
      new_block();
    }
    finish();
  }

  ir::Function take() { return std::move(function_); }

 private:
  void new_block() {
    function_.blocks.emplace_back();
    next_ = 0;
  }

  void add(ir::Instruction instruction) {
    function_.blocks.back().instructions.push_back(std::move(instruction));
  }

  ir::Register add_with_result(ir::Instruction instruction) {
    instruction.result = next_++;
    add(std::move(instruction));
    return next_ - 1;
  }

  ir::Register emit(ir::Call call) {
    ir::Instruction instruction;
    instruction.opcode = ir::Opcode::kCall;
    instruction.call = std::move(call);
    return add_with_result(std::move(instruction));
  }

  ir::Register load(const std::string& slot) {
    ir::Instruction instruction;
    instruction.opcode = ir::Opcode::kLoad;
    instruction.symbol = slot;
    return add_with_result(std::move(instruction));
  }

  void store_host() {
    ir::Instruction host;
    host.literal = ir::DeviceLiteral{"cpu"};
    ir::Instruction store;
    store.opcode = ir::Opcode::kStore;
    store.symbol = kHost;
    store.operands = {add_with_result(std::move(host))};
    add(std::move(store));
  }

  void finish() {
    ir::Instruction end;
    end.opcode = ir::Opcode::kReturn;
    add(std::move(end));
  }

  // Of what is no device nothing is known.
  void add_arguments(ir::Call& call, const ir::Function& callee, const std::string& device) {
    for (const ir::Parameter& parameter : callee.parameters) {
      if (parameter.name == "this") continue;
      std::string slot = device;
      if (parameter.type.kind != ir::TypeKind::kDevice) {
        slot = parameter.name + "." + std::to_string(function_.parameters.size());
        function_.parameters.push_back({slot, parameter.type, false, {}, {}});
        function_.slots.push_back({slot, parameter.type, {}});
      }
      call.arguments.push_back({load(slot), {}, {}});
    }
  }

  const ir::Class& type_;
  ir::Function function_;
  ir::Register next_ = 0;
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
