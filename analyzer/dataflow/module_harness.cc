#include "analyzer/dataflow/module_harness.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/dataflow/dynamic.h"
#include "analyzer/dataflow/identity.h"
#include "analyzer/ir/builder.h"
#include "analyzer/ir/walk.h"

namespace placecheck::dataflow {
namespace {

constexpr std::string_view kForward = "forward";

bool derives_from_known_modules(ProgramIndex& program, const ir::Class& type) {
  return type.is_module && std::ranges::all_of(program.lookup_order(type), [&](const auto* each) {
           return std::ranges::all_of(each->bases, [&](const ir::Type& base) {
             return base.name.starts_with("torch::nn::") ||
                    program.find_class(base.name, program.program().unit_of(*each));
           });
         });
}

// The first in the order of look-up that the program defines.
const ir::Function* find_method(ProgramIndex& program, const ir::Class& type,
                                std::string_view name) {
  for (const ir::Class* each : program.lookup_order(type)) {
    const auto found = std::ranges::find(each->methods, name, &ir::Method::name);
    if (found != each->methods.end())
      return program.find_function(found->key, program.program().unit_of(*each));
  }
  return nullptr;
}

bool takes_rest(const ir::Parameter& parameter) { return parameter.name.starts_with("*"); }

// What PyTorch calls, or what moves or loads the module; others with an underscore are the class's
// own.
bool is_called_by_users(std::string_view method) {
  constexpr std::array<std::string_view, 8> kNotMeant = {
      "train", "eval", "to", "cuda", "cpu", "state_dict", "load_state_dict", "extra_repr"};
  return !method.starts_with("_") && method.find(':') == std::string_view::npos &&
         std::ranges::find(kNotMeant, method) == kNotMeant.end();
}

// `object.name`, got or set by an instruction: the object's variable, empty if it is in none, and
// the attribute.
struct Access {
  std::string variable;
  std::string attribute;
};

std::optional<Access> access_of(const ir::Block& block, const ir::Instruction& instruction,
                                std::string_view operation) {
  const ir::Call& call = instruction.call;
  if (call.name != operation || call.arguments.size() < 2) return std::nullopt;
  const ir::Instruction* object = ir::find_definition(block, call.arguments[0].value);
  const ir::Instruction* name = ir::find_definition(block, call.arguments[1].value);
  const auto* text = name ? std::get_if<std::string>(&name->literal) : nullptr;
  if (!text) return std::nullopt;
  const bool is_variable = object && object->opcode == ir::Opcode::kLoad;
  return Access{is_variable ? object->symbol : "", *text};
}

// Whether the function asks a parameter for its device, and so takes it for a tensor.
bool asks_for_device(const ir::Function& function, const std::string& parameter) {
  bool asks = false;
  ir::walk_instructions(function, [&](const ir::Instruction& each, ir::InstructionPlace at) {
    const std::optional<Access> access = access_of(function.blocks[at.block], each, "object.get");
    asks |= access && access->variable == parameter &&
            (access->attribute == "device" || access->attribute == "is_cuda");
  });
  return asks;
}

// Whether the function moves what the module itself holds: `self.basis.cuda()`. Then the class, not
// its user, says where its parts go.
bool moves_own_state(const ir::Function& function) {
  bool moves = false;
  ir::walk_instructions(function, [&](const ir::Instruction& each, ir::InstructionPlace at) {
    if (each.call.name != ".cuda" && each.call.name != ".cpu") return;
    const ir::Block& block = function.blocks[at.block];
    const ir::Instruction* moved = &each;
    while (moved && moved->call.name != "object.get" && !moved->call.arguments.empty())
      moved = ir::find_definition(block, moved->call.arguments[0].value);
    const std::optional<Access> access =
        moved ? access_of(block, *moved, "object.get") : std::nullopt;
    moves |= access && access->variable == "this";
  });
  return moves;
}

// Whether the function makes tensors of arrays or images: it prepares data, on the CPU.
bool prepares_data(const ir::Function& function) {
  bool prepares = false;
  ir::walk_instructions(function, [&](const ir::Instruction& each, ir::InstructionPlace) {
    prepares |= each.call.name == "torch.from_numpy" ||
                each.call.name.starts_with("torchvision.transforms.");
  });
  return prepares;
}

class Harness {
 public:
  explicit Harness(std::string key) : builder_(function_) {
    function_.key = std::move(key);
    function_.name = function_.key;
    function_.is_exported = false;
  }

  ir::Builder& builder() { return builder_; }

  // A parameter of which nothing is known.
  ir::Register parameter(const std::string& wanted) {
    const std::string slot = builder_.new_slot(wanted, {}, {});
    function_.parameters.push_back({slot, {}, false, {}, {}});
    return builder_.load(slot);
  }

  ir::Register call_method(ir::Register object, const std::string& name,
                           std::vector<ir::Argument> arguments = {}) {
    ir::Call call;
    call.kind = ir::CallKind::kMethod;
    call.name = "." + name;
    call.arguments.push_back({object, {}, {}});
    call.arguments.insert(call.arguments.end(), arguments.begin(), arguments.end());
    return builder_.call(std::move(call));
  }

  ir::Function take() {
    builder_.finish();
    return std::move(function_);
  }

 private:
  ir::Function function_;
  ir::Builder builder_;
};

// As `import` does.
void import_file(ir::Builder& builder, const ir::Unit& unit) {
  const auto module = std::ranges::find(unit.functions, "<module>", &ir::Function::name);
  if (module == unit.functions.end()) return;
  for (const ir::Global& each : unit.globals) {
    if (each.name == "<imported>") builder.store(each.slot, builder.constant(true));
  }
  ir::Call call;
  call.name = "<module>";
  call.key = module->key;
  call.arguments.push_back({builder.constant(std::string("<imported>")), {}, {}});
  builder.call(std::move(call));
}

ir::Function make_maker(ProgramIndex& program, const ir::Unit& unit, const ir::Class& type) {
  Harness harness("maker of " + type.key);
  import_file(harness.builder(), unit);
  ir::Call call;
  call.kind = ir::CallKind::kConstruct;
  call.name = type.name;
  call.key = type.key;
  if (const ir::Function* constructor = find_method(program, type, "__init__")) {
    for (const ir::Parameter& each : constructor->parameters) {
      const bool is_given = each.default_function.empty() || says_device(each.name);
      if (each.name == "this" || takes_rest(each) || !is_given) continue;
      call.arguments.push_back({harness.parameter(each.name), each.name, {}});
    }
  }
  harness.builder().set_range(type.range);
  harness.builder().ret(harness.builder().call(std::move(call)));
  return harness.take();
}

struct OwnMethod {
  std::string name;
  const ir::Function* function;
};

std::vector<OwnMethod> methods_for_users(ProgramIndex& program, const ir::Unit& unit,
                                         const ir::Class& type, const ModuleUses& uses) {
  std::vector<OwnMethod> methods;
  for (const ir::Method& each : type.methods) {
    const ir::Function* function = program.find_function(each.key, &unit);
    const bool is_meant = each.name == kForward || (is_called_by_users(each.name) &&
                                                    !uses.called_before_move.contains(each.name));
    if (function && !each.is_constructor && is_meant && !prepares_data(*function))
      methods.push_back({each.name, function});
  }
  const bool has_forward = std::ranges::find(methods, kForward, &OwnMethod::name) != methods.end();
  const ir::Function* inherited = has_forward ? nullptr : forward_of(program, type);
  if (inherited && !prepares_data(*inherited))
    methods.push_back({std::string(kForward), inherited});
  return methods;
}

// What is written nowhere has no range, and is no place in the source.
ir::Function make_user(const ir::Class& type, const OwnMethod& method) {
  Harness harness("user of " + type.key + "." + method.name);
  const ir::Register module = harness.parameter("module");
  harness.call_method(module, "cuda");
  harness.call_method(module, "train", {{harness.parameter("is_training"), {}, {}}});
  std::vector<ir::Argument> arguments;
  for (const ir::Parameter& each : method.function->parameters) {
    if (each.name == "this" || takes_rest(each)) continue;
    ir::Register argument = harness.parameter(each.name);
    if (method.name == kForward && asks_for_device(*method.function, each.name))
      argument = harness.call_method(argument, "cuda");
    arguments.push_back({argument, each.name, {}});
  }
  harness.call_method(module, method.name, std::move(arguments));
  return harness.take();
}

// A tensor that is elsewhere, or a device: the class decides itself where things go.
bool is_placed_by_class(const Value& value, const Names& names) {
  if (value.is(ValueKind::kDevice)) return true;
  if (value.is(ValueKind::kString)) return parse_device(names.text(value.name)).is_known();
  const PlaceKind kind = value.place.kind;
  return value.is_tensor() && kind != PlaceKind::kCpu && kind != PlaceKind::kCell;
}

// The names of what constructors call, of what that calls, and so on.
std::set<std::string> called_in_constructors(const ir::Program& program) {
  std::multimap<std::string_view, const ir::Function*> functions;
  std::vector<const ir::Function*> work;
  for (const ir::Unit* unit : program.units) {
    for (const ir::Function& each : unit->functions) {
      functions.emplace(ir::last_component(each.name), &each);
      if (each.kind == ir::FunctionKind::kConstructor) work.push_back(&each);
    }
  }
  std::set<std::string> names;
  while (!work.empty()) {
    const ir::Function& function = *work.back();
    work.pop_back();
    ir::walk_instructions(function, [&](const ir::Instruction& each, ir::InstructionPlace) {
      const std::string name(last_part(each.call.name));
      if (name.empty() || name == "__init__" || !names.insert(name).second) return;
      const auto [first, last] = functions.equal_range(name);
      for (auto called = first; called != last; ++called) work.push_back(called->second);
    });
  }
  return names;
}

// Those of the attributes that the function sets.
void add_setter(const ir::Function& function, ModuleUses& uses) {
  const bool constructs = function.kind == ir::FunctionKind::kConstructor;
  ir::walk_instructions(function, [&](const ir::Instruction& each, ir::InstructionPlace at) {
    const std::optional<Access> access = access_of(function.blocks[at.block], each, "object.set");
    if (access && !(constructs && access->variable == "this"))
      uses.setters[access->attribute].insert(&function);
  });
}

}  // namespace

const ir::Function* forward_of(ProgramIndex& program, const ir::Class& type) {
  return find_method(program, type, kForward);
}

ModuleUses uses_of_modules(const ir::Program& program) {
  ModuleUses uses{called_in_constructors(program), {}};
  for (const ir::Unit* unit : program.units) {
    for (const ir::Function& each : unit->functions) add_setter(each, uses);
  }
  return uses;
}

std::optional<ModuleHarness> make_module_harness(ProgramIndex& program, const ir::Unit& unit,
                                                 const ir::Class& type, const ModuleUses& uses) {
  if (!derives_from_known_modules(program, type)) return std::nullopt;
  const std::vector<OwnMethod> methods = methods_for_users(program, unit, type, uses);
  const bool places_itself = std::ranges::any_of(type.methods, [&](const ir::Method& each) {
    const ir::Function* function = program.find_function(each.key, &unit);
    return function && moves_own_state(*function);
  });
  if (methods.empty() || places_itself) return std::nullopt;
  ModuleHarness harness{make_maker(program, unit, type), {}};
  for (const OwnMethod& each : methods)
    harness.uses.push_back({each.function, make_user(type, each)});
  return harness;
}

void forget_what_others_set(ProgramIndex& program, const ModuleUses& uses,
                            const ir::Function& method, const Value& module, const Names& names,
                            State& state) {
  const ObjectId root = state.object_id_of(module);
  for (const ObjectId id : reachable_from(state, root)) {
    const ir::Class* type = state.object(id).type;
    if (!type) continue;
    // The forward of a part has not run before that of the whole.
    const ir::Function* own = id == root ? &method : forward_of(program, *type);
    auto is_set_by_others = [&](Name attribute) {
      const auto setters = uses.setters.find(names.text(attribute));
      return setters != uses.setters.end() &&
             std::ranges::any_of(setters->second, [&](const auto* each) { return each != own; });
    };
    Object& object = state.edit(id);
    for (auto& [attribute, value] : object.fields) {
      if (is_set_by_others(attribute)) value = Value::unknown();
    }
    std::erase_if(object.registered,
                  [&](const Registered& each) { return is_set_by_others(each.name); });
  }
}

bool is_left_to_user(const State& state, const Value& module, const Names& names) {
  return std::ranges::none_of(reachable_from(state, state.object_id_of(module)), [&](ObjectId id) {
    const Object& object = state.object(id);
    bool is_placed = object.moved;
    for_each_value(object,
                   [&](const Value& each) { is_placed |= is_placed_by_class(each, names); });
    return is_placed;
  });
}

}  // namespace placecheck::dataflow
