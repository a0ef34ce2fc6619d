// Module::clone(), as torch/nn/cloneable.h has it: the copy shares all members with the original
// until its reset() registers parameters, buffers and modules of its own, which are then filled
// from those of the original.
#include <algorithm>

#include "analyzer/dataflow/dynamic.h"
#include "analyzer/dataflow/effects.h"
#include "analyzer/dataflow/optimizers.h"

namespace placecheck::dataflow {
namespace {

constexpr uint32_t kObjectsPerClone = 256;
constexpr uint32_t kObjectsPerMember = 8;
constexpr char kModule[] = "torch::nn::Module";

using Cause = FailedCloneEvent::Cause;

void note_failure(CallContext& context, const ir::Class& type, Cause cause) {
  const ir::Unit* unit = context.activation.program().program().unit_of(type);
  context.activation.notify(
      FailedCloneEvent{context.activation.site(context.instruction.range), cause, type.name,
                       unit ? Site{unit, type.range} : Site{}},
      context.state);
}

// Neither the class nor one of its bases, all of which are known, has a clone() of its own.
bool lacks_clone(CallContext& context, const ir::Class& type) {
  ProgramIndex& program = context.activation.program();
  const std::vector<std::string> bases = program.bases_of(type);
  const ir::Unit* unit = program.program().unit_of(type);
  const auto has_no_clone = [&](const std::string& base) {
    return base == kModule || base.starts_with("std::") || program.find_class(base, unit);
  };
  return std::ranges::find(bases, kModule) != bases.end() &&
         std::ranges::all_of(bases, has_no_clone) && !program.overrides(type, "clone");
}

// What Cloneable::clone() compares once reset() has run, in its order.
std::optional<Cause> difference(const Object& original, const Object& copy) {
  constexpr std::pair<RegisteredKind, Cause> kCompared[] = {
      {RegisteredKind::kParameter, Cause::kParameters},
      {RegisteredKind::kBuffer, Cause::kBuffers},
      {RegisteredKind::kModule, Cause::kModules}};
  for (const auto& [kind, cause] : kCompared) {
    const auto count = [kind](const Object& module) {
      return std::ranges::count(module.registered, kind, &Registered::kind);
    };
    if (count(original) != count(copy)) return cause;
  }
  return std::nullopt;
}

class ModuleClone {
 public:
  // Without a place, each tensor stays where it is.
  ModuleClone(CallContext& context, std::optional<Place> place, uint32_t first)
      : context_(context), place_(std::move(place)), next_(first), end_(first + kObjectsPerClone) {}

  std::optional<Value> of(ObjectId original) {
    const ObjectId made = context_.allocate(next_++);
    if (!fill(made, original)) return std::nullopt;
    return Value::object_ref(made);
  }

 private:
  // False where it is not known what the copy holds.
  bool fill(ObjectId into, ObjectId original) {
    if (!context_.state.has(original)) return false;
    const Object whole = context_.state.object(original);
    if (!whole.is_module() || !whole.complete || next_ >= end_) return false;
    if (whole.type) return reset(into, whole);
    Object made = whole;
    made.origin = origin();
    forget_training(made, context_.activation.names());
    for (Registered& each : made.registered) {
      const Value before = each.value;
      if (!copy_part(each.value)) return false;
      if (before.is_tensor()) replace_members(made, before, each.value);
      for (Value& child : each.either)
        if (!copy_part(child)) return false;
    }
    context_.state.put(into, std::move(made));
    return true;
  }

  // The members that lead to a registered tensor lead to its copy.
  static void replace_members(Object& made, const Value& tensor, const Value& copy) {
    for (auto& [name, field] : made.fields)
      if (field.is_tensor() && field.place == tensor.place) field = copy;
  }

  bool copy_part(Value& part) {
    if (part.is_tensor() && part.place.kind == PlaceKind::kCell) {
      const Value tensor = placed(context_.state.decider_of(part));
      part = make_cell(context_, tensor, next_++);
      return true;
    }
    if (!part.is_object()) return false;
    const std::optional<Value> copy = of(part.object);
    if (copy) part = *copy;
    return copy.has_value();
  }

  bool reset(ObjectId into, const Object& original) {
    ProgramIndex& program = context_.activation.program();
    const bool is_cloneable = program.derives_from(*original.type, "torch::nn::Cloneable");
    const ir::Function* reset =
        is_cloneable ? program.find_method(*original.type, "reset", 0) : nullptr;
    if (!reset) return false;
    Object made = original;
    made.origin = origin();
    made.registered.clear();
    forget_training(made, context_.activation.names());
    for (auto& [name, field] : made.fields) {
      field = context_.activation.copy(context_.state, field, &context_.instruction, next_);
      next_ += kObjectsPerMember;
    }
    context_.state.put(into, std::move(made));
    Exits exits = context_.activation.invoke(*reset, {Value::object_ref(into)}, context_.state,
                                             context_.instruction);
    if (exits.size() != 1) return false;
    context_.state = std::move(exits.front().state);
    const Object& copy = context_.state.object(into);
    if (!copy.complete) return false;
    if (const std::optional<Cause> cause = difference(original, copy)) {
      note_failure(context_, *original.type, *cause);
      return false;
    }
    return take_over(into, original);
  }

  // What reset() has registered gets the values of the original.
  bool take_over(ObjectId into, const Object& original) {
    for (const Registered& each : original.registered) {
      const Registered* found = context_.state.object(into).find_registered(each.name);
      if (!found) return false;
      const Value made = found->value;
      if (each.value.is_object()) {
        if (!made.is_object() || !fill(made.object, each.value.object)) return false;
      } else {
        const bool are_cells =
            each.value.place.kind == PlaceKind::kCell && made.place.kind == PlaceKind::kCell;
        if (!are_cells) return false;
        const Value tensor = placed(context_.state.decider_of(each.value));
        context_.state.edit(made.place.symbol).elements[0] = tensor;
      }
    }
    return true;
  }

  Value placed(Value tensor) const {
    if (!place_) return tensor;
    tensor.place = *place_;
    tensor.origin = origin();
    tensor.input = Value::kNotInput;
    return tensor;
  }

  OriginId origin() const { return context_.origin(OriginKind::kMoved); }

  CallContext& context_;
  std::optional<Place> place_;
  uint32_t next_, end_;
};

// A module of the class whose tensors are known by their place alone.
Value stand_in(CallContext& context, ObjectId original, const std::optional<Place>& place,
               uint32_t copy) {
  const Object& module = context.state.object(original);
  const std::string& class_name =
      module.type ? module.type->key : context.activation.names().text(module.type_name);
  std::string label = "clone" + std::to_string(context.instruction.range.line);
  if (copy > 0) label += "." + std::to_string(copy);
  const Place moved_to =
      place ? *place : parameter_of(context.activation, context.state, original).place;
  Value cloned =
      context.activation.symbolic({ir::TypeKind::kModule, class_name, {}}, context.name(label),
                                  context.state, &context.instruction, copy * kObjectsPerClone);
  Object& made = context.state.edit(cloned.object);
  made.may_be_null = false;
  made.moved = true;
  made.moved_to = resolve(context.state, moved_to);
  return cloned;
}

}  // namespace

Value clone_of(CallContext& context, ObjectId original, const std::optional<Place>& place,
               uint32_t copy) {
  State before = context.state;
  const ir::Class* type = context.state.object(original).type;
  if (type && !is_dynamic(context.activation.function()) && lacks_clone(context, *type))
    note_failure(context, *type, Cause::kNotCloneable);
  std::optional<Place> resolved;
  if (place) resolved = resolve(context.state, *place);
  ModuleClone clone(context, resolved, copy * kObjectsPerClone);
  if (const std::optional<Value> made = clone.of(original)) return *made;
  context.state = std::move(before);
  return stand_in(context, original, place, copy);
}

void try_clone(CallContext& context, ObjectId original) {
  State scratch = context.state;
  CallContext clone{context.activation, scratch, context.instruction, context.arguments};
  clone_of(clone, original, std::nullopt);
}

}  // namespace placecheck::dataflow
