// Optimizers, by their Python names: what they update, and where the state is that they keep for
// it.
#include <algorithm>

#include "analyzer/dataflow/dynamic.h"
#include "analyzer/dataflow/optimizers.h"
#include "analyzer/dataflow/scalars.h"

namespace placecheck::dataflow {
namespace {

constexpr std::string_view kOptimizers = "torch.optim.";
constexpr std::string_view kScaler = ".GradScaler";  // torch.amp's and torch.cuda.amp's
constexpr std::string_view kSchedulers = "torch.optim.lr_scheduler.";
constexpr std::string_view kGroups = "param_groups";
constexpr std::string_view kGroup = "a group of parameters";
constexpr std::string_view kParameters = "params";
constexpr std::string_view kState = "state";
constexpr std::string_view kStates = "the state of each parameter";
constexpr uint32_t kStatesOrdinal = 1899;
constexpr uint32_t kFirstOfGroup = 1901;

// The parameters that an argument lists: those of modules, also in groups.
std::vector<Value> listed_parameters(CallContext& context, const Value& argument) {
  std::vector<Value> candidates{argument};
  const Object* object = context.state.object_of(argument);
  if (object && object->kind == ObjectKind::kContainer) {
    for (const Value& group : object->elements) {
      const Object* table = context.state.object_of(group);
      if (table && table->kind == ObjectKind::kContainer)
        candidates.insert(candidates.end(), table->elements.begin(), table->elements.end());
    }
  }
  std::vector<Value> found;
  for (const Value& each : candidates) {
    Value parameters = context.state.read(each);
    if (parameters.is(ValueKind::kParameters)) found.push_back(parameters);
  }
  return found;
}

// The same, with an unknown value where not all that is listed are the parameters of modules.
std::vector<Value> optimized_lists(CallContext& context, const Value& argument) {
  std::vector<Value> lists = listed_parameters(context, argument);
  const Object* groups = context.state.object_of(argument);
  const bool are_groups = groups && groups->kind == ObjectKind::kContainer;
  const size_t count = are_groups ? groups->elements.size() : 1;
  const bool are_all = !lists.empty() && lists.size() == count && !(are_groups && groups->open);
  if (!are_all) lists.push_back(Value::unknown());
  return lists;
}

// Whether an argument is a number that is written there and is not zero.
bool is_written_number(CallContext& context, size_t source) {
  const auto& written = context.call().arguments;
  const ir::Instruction* made =
      source < written.size() ? context.activation.find_definition(written[source].value) : nullptr;
  if (!made || made->opcode != ir::Opcode::kConst) return false;
  if (const double* number = std::get_if<double>(&made->literal)) return *number != 0;
  const int64_t* number = std::get_if<int64_t>(&made->literal);
  return number && *number != 0;
}

bool keeps_state(CallContext& context, std::string_view name, const Given& given) {
  if (always_keeps_state(last_part(name))) return true;
  std::optional<size_t> momentum = given.find("momentum", 2);
  return last_part(name) == "SGD" && momentum &&
         is_written_number(context, given.sources[*momentum]);
}

// What a group has under "params": a list of what was given.
Value parameters_of_group(CallContext& context, const Value& given, uint32_t ordinal) {
  const Value parameters = context.state.read(given);
  if (parameters.is(ValueKind::kParameters)) return parameters;
  if (parameters.is_tensor())
    return make_list(context, {parameters}, ObjectKind::kContainer, ordinal);
  const Object* list = context.state.object_of(parameters);
  if (!list || !is_list(*list)) return Value::unknown();
  return context.make(items_in(context, parameters), ordinal);
}

// What a table that describes a group has under "params".
Value parameters_in_table(CallContext& context, const Value& table) {
  Exits exits = get_item(context, table, Value::string(context.name(kParameters)));
  if (exits.size() != 1) return Value::unknown();
  context.state = std::move(exits.front().state);
  return exits.front().value;
}

// A group: a table of which only the parameters are followed.
Value make_group(CallContext& context, const Value& given, uint32_t number) {
  const uint32_t first = kFirstOfGroup + 3 * number;
  const Object* table = context.state.object_of(given);
  const bool is_table = table && table->kind == ObjectKind::kContainer && table->is_map;
  const Value parameters = is_table ? parameters_in_table(context, given) : given;
  const Value listed = parameters_of_group(context, parameters, first);
  Object group;
  group.kind = ObjectKind::kRecord;
  group.type_name = context.name(kGroup);
  group.complete = false;
  group.symbol =
      context.activation
          .fresh_symbol(context.instruction, context.state, "group" + std::to_string(number))
          .name;
  group.set(context.name(kParameters), listed);
  const Value made = context.make(std::move(group), first + 1);
  return attributes_of(context, made, first + 2).value_or(Value::unknown());
}

// `optimizer.param_groups`: one for each table that was given, or one of all parameters.
Value make_groups(CallContext& context, const Given& given) {
  const std::optional<size_t> at = given.find("params", 0);
  if (!at || given.is_open) return Value::unknown();
  const Value parameters = context.state.read(given.values[*at]);
  const Object* list = context.state.object_of(parameters);
  auto is_table = [&](const Value& each) {
    const Object* table = context.state.object_of(each);
    return table && table->kind == ObjectKind::kContainer && table->is_map;
  };
  const bool is_listed = parameters.is_object() && list && is_list(*list) && !list->is_map;
  const bool has_tables = is_listed && std::ranges::any_of(list->elements, is_table);
  const bool is_known =
      !has_tables || (!list->open && std::ranges::all_of(list->elements, is_table));
  if (!is_known || parameters.is(ValueKind::kUnknown)) return Value::unknown();
  std::vector<Value> groups;
  const std::vector<Value> tables = has_tables ? list->elements : std::vector<Value>{parameters};
  for (const Value& each : tables)
    groups.push_back(
        make_group(context, context.state.read(each), static_cast<uint32_t>(groups.size())));
  return make_list(context, std::move(groups), ObjectKind::kContainer, kFirstOfGroup - 1);
}

void add_group(CallContext& context, ObjectId optimizer, const Given& given) {
  if (given.size() < 2) return;
  const Value listed = context.state.read(parameters_in_table(context, given.values[1]));
  set_optimized(context, context.state.edit(optimizer), std::span(&listed, 1));
  const Value* groups = context.state.object(optimizer).find(context.name(kGroups));
  const ObjectId id = groups ? context.state.object_id_of(*groups) : kNoObject;
  if (id == kNoObject) return;
  const auto number = static_cast<uint32_t>(context.state.object(id).elements.size());
  const Value group = make_group(context, given.values[1], number);
  append(context.state.edit(id), group);
}

}  // namespace

Exits make_optimizer(CallContext& context, const std::string& name, const Given& given) {
  Object optimizer = context.library_object(name);
  if (const std::optional<size_t> at = given.find("params", 0); at && !given.is_tried)
    note_non_leaves(context, given.values[*at], context.range(given.sources[*at]));
  if (const std::optional<size_t> at = given.find("params", 0))
    set_optimized(context, optimizer, optimized_lists(context, given.values[*at]));
  for (size_t i = 0; i < given.size(); ++i) {
    std::vector<Value> lists = listed_parameters(context, given.values[i]);
    for (const Value& parameters : lists) {
      ModuleEvent event{context.activation.site(context.instruction.range),
                        ModuleAction::kOptimized, parameters.object, "parameters"};
      context.activation.notify(event, context.state);
    }
    bool is_module = lists.size() == 1 && given.values[i].is(ValueKind::kParameters);
    if (is_module && keeps_state(context, name, given)) set_updated(context, optimizer, lists[0]);
  }
  if (const std::optional<size_t> at = given.find("params", 0);
      at && flattens_gradients(last_part(name)))
    set_flattened(context, optimizer, context.state.read(given.values[*at]));
  const Value groups = make_groups(context, given);
  if (!groups.is(ValueKind::kUnknown)) optimizer.set(context.name(kGroups), groups);
  Value made = context.make(std::move(optimizer));
  // The others make their state at the first step, where the parameters are then.
  if (last_part(name) == "Adagrad") settle_state(context, made.object);
  return single_exit(context, made);
}

std::optional<Exits> optimizer_method(CallContext& context, const std::string& name,
                                      const Given& given) {
  ObjectId id = context.state.object_id_of(given.values[0]);
  if (id == kNoObject) return std::nullopt;
  const Object& optimizer = context.state.object(id);
  const std::string& type = context.activation.names().text(optimizer.type_name);
  if (type.ends_with(kScaler) && given.size() > 1) {
    // The scaled loss is where the loss is.
    if (name == "scale") return single_exit(context, given.values[1]);
    const ObjectId scaled = context.state.object_id_of(given.values[1]);
    if (name == "step" && scaled != kNoObject) note_step(context, scaled);
  }
  if (optimizer.kind != ObjectKind::kLibrary || !type.starts_with(kOptimizers)) return std::nullopt;
  if (name == "load_state_dict" && has_updated(context, id)) {
    settle_state(context, id);
    return single_exit(context, Value::none());
  }
  if (name == "add_param_group") {
    add_group(context, id, given);
    return single_exit(context, Value::none());
  }
  if (name != "step") return std::nullopt;
  note_step(context, id);
  // One that evaluates the loss itself.
  if (given.size() > 1) return call_value(context, given.values[1], {});
  return std::nullopt;
}

bool is_optimizer_class(Activation& activation, const ir::Class& type) {
  return derives_from_library(activation, type, [](std::string_view base) {
    return base.starts_with(kOptimizers) && is_class_name(base) && !base.starts_with(kSchedulers);
  });
}

void make_base_optimizer(CallContext& context, const Value& self, const Given& given) {
  const ObjectId id = context.state.object_id_of(self);
  if (id == kNoObject) return;
  const Value groups = make_groups(context, given);
  const Value states = context.make(context.library_object(kStates), kStatesOrdinal);
  context.state.edit(id).set(context.name(kGroups), groups);
  context.state.edit(id).set(context.name(kState), states);
}

std::optional<Value> base_optimizer_method(CallContext& context, const ir::Class& type,
                                           std::string_view name) {
  // A scheduler writes numbers into the groups of its optimizer, and moves nothing.
  const bool is_scheduler =
      derives_from_library(context.activation, type,
                           [](std::string_view base) { return base.starts_with(kSchedulers); });
  if (is_scheduler) return Value::unknown();
  constexpr std::string_view kReading[] = {"state_dict", "zero_grad"};
  const bool is_reading = std::ranges::find(kReading, name) != std::end(kReading);
  return is_reading && is_optimizer_class(context.activation, type)
             ? std::optional(Value::unknown())
             : std::nullopt;
}

std::optional<Value> state_of_parameter(CallContext& context, const Object& states) {
  if (context.activation.names().text(states.type_name) != kStates) return std::nullopt;
  Object table;
  table.kind = ObjectKind::kContainer;
  table.is_map = true;
  return context.make(std::move(table), kStatesOrdinal);
}

void expose_optimizer_state(CallContext& context, ObjectId optimizer, std::string_view attribute) {
  if (attribute == "state") forget_state(context, optimizer);
}

}  // namespace placecheck::dataflow
