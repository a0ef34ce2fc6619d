// Optimizers, by their Python names: what they update, and where the state is that they keep for
// it.
#include <algorithm>

#include "analyzer/dataflow/dynamic.h"
#include "analyzer/dataflow/optimizers.h"

namespace placecheck::dataflow {
namespace {

constexpr std::string_view kOptimizers = "torch.optim.";

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

}  // namespace

Exits make_optimizer(CallContext& context, const std::string& name, const Given& given) {
  Object optimizer = context.library_object(name);
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
  if (optimizer.kind != ObjectKind::kLibrary || !type.starts_with(kOptimizers)) return std::nullopt;
  if (name == "load_state_dict" && has_updated(context, id)) {
    settle_state(context, id);
    return single_exit(context, Value::none());
  }
  if (name != "step") return std::nullopt;
  note_step(context, id);
  // One that evaluates the loss itself.
  if (given.size() > 1) return call_value(context, given.values[1], {});
  return std::nullopt;
}

void expose_optimizer_state(CallContext& context, ObjectId optimizer, std::string_view attribute) {
  if (attribute == "state" || attribute == "param_groups") forget_state(context, optimizer);
}

}  // namespace placecheck::dataflow
