// Tensors: where they are made, moved and combined.
#include <algorithm>

#include "analyzer/dataflow/autograd_functions.h"
#include "analyzer/dataflow/dynamic.h"
#include "analyzer/dataflow/effects.h"
#include "analyzer/dataflow/grad_modes.h"
#include "analyzer/dataflow/optimizers.h"
#include "analyzer/dataflow/packed_sequences.h"
#include "analyzer/dataflow/scalars.h"
#include "analyzer/dataflow/symbols.h"

namespace placecheck::dataflow {
namespace {

using models::DeviceRule;
using models::Effect;
using models::Operator;
using models::ResultKind;
using models::ResultPlace;
using models::ResultRank;

// Where a device was named, and whether by what is written there rather than by what came in.
struct Naming {
  OriginId at = 0;
  bool fixed = false;
};

Naming naming_by(const Value& device) { return {device.origin, device.input == Value::kNotInput}; }

constexpr Naming kByDefault{0, true};

// Whether the cell holds a parameter or a buffer of some module.
bool is_registered(const State& state, ObjectId cell) {
  for (ObjectId id = 0; id < state.object_count(); ++id) {
    if (!state.has(id)) continue;
    const auto has_cell = [&](const Registered& each) {
      return each.value.place.kind == PlaceKind::kCell && each.value.place.symbol == cell;
    };
    if (std::ranges::any_of(state.object(id).registered, has_cell)) return true;
  }
  return false;
}

// What a transfer to `place` makes of a tensor to be trained; 0: nothing that is known.
int64_t kind_of_copy(CallContext& context, const Place& place) {
  const Value moved = context.read(0);
  const bool is_copied = moved.is_tensor() && moved.requires_grad &&
                         relate(context.state.place_of(moved), place) == Relation::kDifferent;
  if (!is_copied || is_in_grad_mode(context.activation.function(), context.instruction.range))
    return 0;
  const bool is_parameter = moved.place.kind == PlaceKind::kCell;
  return is_parameter && !is_registered(context.state, moved.place.symbol)
             ? Value::kNonLeafParameter
             : Value::kNonLeaf;
}

Value placed_tensor(CallContext& context, const Place& place, Rank rank, OriginKind kind,
                    Naming naming = {}) {
  use_device(context, place, naming.at);
  Origin origin;
  origin.kind = kind;
  origin.site = context.activation.site(context.instruction.range);
  origin.fixed = naming.fixed;
  const bool is_moved = kind == OriginKind::kMoved && context.count() > 0;
  const Value before = is_moved ? context.state.decider_of(context.arguments[0]) : Value();
  if (is_moved)
    origin.is_resized = !context.activation.origin_of(before.origin).has_created_sizes();
  Value tensor = Value::tensor(place, rank);
  // What is there already is returned as it is.
  const bool is_there = is_moved && before.is_tensor() && before.origin != 0 &&
                        relate(context.state.place_of(before), place) == Relation::kSame;
  tensor.origin = is_there ? before.origin : context.activation.add_origin(origin);
  if (is_moved) tensor.number = kind_of_copy(context, place);
  return tensor;
}

Value transfer(CallContext& context) {
  Value self = context.state.decider_of(context.arguments[0]);
  Value original = context.read(0);
  Rank rank = original.is_tensor() ? original.rank : Rank::kUnknown;
  bool is_library_value = original.is(ValueKind::kUnknown) || original.is(ValueKind::kNone);
  for (size_t i = 1; i < context.count(); ++i) {
    Value argument = context.read(i);
    if (std::optional<Place> place = named_place(context, argument)) {
      const Naming naming = naming_by(argument);
      // What is registered, and there already, is moved with its module later on.
      const bool is_itself = original.place.kind == PlaceKind::kCell && context.count() == 2 &&
                             relate(context.state.place_of(self), *place) == Relation::kSame;
      if (!is_itself) return placed_tensor(context, *place, rank, OriginKind::kMoved, naming);
      use_device(context, *place, naming.at);
      return original;
    }
    if (argument.is_tensor())
      return placed_tensor(context, context.state.place_of(argument), rank, OriginKind::kMoved);
    // A number is a dtype, or a flag; what is not understood may name a device.
    bool is_no_device = argument.is(ValueKind::kInt) || argument.is(ValueKind::kBool) ||
                        (argument.is(ValueKind::kOptions) && !argument.has_place);
    bool may_be_device = i == 1 && !is_no_device;
    if (may_be_device) return Value::tensor(Place::unknown(), rank);
  }
  if (is_library_value) return Value::tensor(Place::unknown());
  Value copy = Value::tensor(self.place, rank);
  copy.origin = self.origin;
  copy.input = self.input;
  return copy;
}

bool asks_for_gradient(CallContext& context) {
  for (size_t i = 0; i < context.count(); ++i) {
    Value value = context.read(i);
    if (value.is(ValueKind::kOptions) && value.requires_grad) return true;
  }
  return false;
}

Value from_data(CallContext& context) {
  const Object* list = context.state.object_of(context.arguments[0]);
  bool is_list = list && list->kind == ObjectKind::kContainer;
  Place place = Place::cpu();
  Naming naming = kByDefault;
  for (size_t i = 1; i < context.count(); ++i) {
    Value options = context.read(i);
    if (std::optional<Place> named = named_place(context, options)) {
      place = *named;
      naming = naming_by(options);
    }
    if (options.is(ValueKind::kOptions) && options.has_place && !options.place.is_known())
      place = Place::unknown();
    if (options.is(ValueKind::kUnknown)) place = Place::unknown();
  }
  Value first = context.read(0);
  Rank rank = is_list ? Rank::kNonScalar : first.is_scalar() ? Rank::kScalar : Rank::kUnknown;
  Value tensor = placed_tensor(context, place, rank, OriginKind::kCreated, naming);
  tensor.requires_grad = asks_for_gradient(context);
  return tensor;
}

Value from_blob(CallContext& context) {
  Place place = Place::cpu();
  Place meant = place;  // "cuda" is wherever the memory is
  for (size_t i = 2; i < context.count(); ++i) {
    Value given = context.read(i);
    if (std::optional<Place> named = named_place(context, given)) {
      meant = place = *named;
      if (given.place.index == Place::kCurrent) meant = Place::cuda_at(0);
    }
    bool is_open = given.is(ValueKind::kUnknown) ||
                   (given.is(ValueKind::kOptions) && given.has_place && !given.place.is_known());
    if (is_open) meant = Place::unknown();
    if (is_open && !given.is(ValueKind::kUnknown)) place = Place::unknown();
  }
  take_memory_for(context, 0, meant);
  // A pointer of unknown kind says nothing; without options libtorch takes it for host memory.
  return placed_tensor(context, place, rank_of_sizes(context, context.read(1)),
                       OriginKind::kCreated);
}

// The place that a factory's arguments ask for.
std::optional<Place> factory_place(CallContext& context, size_t first, Naming& naming) {
  for (size_t i = first; i < context.count(); ++i) {
    Value value = context.read(i);
    if (std::optional<Place> place = named_place(context, value)) {
      naming = naming_by(value);
      return place;
    }
    if (value.is(ValueKind::kOptions) && value.has_place) return Place::unknown();
    // Options that nothing is known of. Sizes that nothing is known of come first.
    bool last = i + 1 == context.count() && i > first;
    if (last && value.is(ValueKind::kUnknown)) return Place::unknown();
  }
  return std::nullopt;
}

// Of several signatures, `randint(high, size)` and `randint(low, high, size)`, that one's which is
// given a list.
size_t sizes_position(CallContext& context, const Operator& op) {
  std::optional<size_t> first;
  for (const models::Signature& signature : op.signatures) {
    if (signature.sizes_position < 0) continue;
    const auto position = static_cast<size_t>(signature.sizes_position);
    if (!first) first = position;
    if (position < context.count() && context.state.object_of(context.read(position)))
      return position;
  }
  return first.value_or(op.result_place == ResultPlace::kOptionsOrSelf ? 1 : 0);
}

Rank factory_rank(CallContext& context, const Operator& op, size_t self) {
  if (op.result_rank == ResultRank::kScalar) return Rank::kScalar;
  if (op.result_rank == ResultRank::kSameAsSelf && self < context.count())
    return context.read(self).rank;
  if (op.name == "randperm") return Rank::kBatch;  // what is put in order is several elements
  if (op.result_rank != ResultRank::kFromSizes) return Rank::kNonScalar;
  return rank_of_sizes(context, context.read(sizes_position(context, op)));
}

bool is_zero(const Value& value) { return value.is(ValueKind::kInt) && value.number == 0; }

// `empty({0})`: a mark that there is no tensor yet, tested before it is used.
bool is_sentinel(CallContext& context, const Operator& op) {
  if (op.result_rank != ResultRank::kFromSizes) return false;
  Value sizes = context.read(sizes_position(context, op));
  if (is_zero(sizes)) return true;
  const Object* list = context.state.object_of(sizes);
  if (!list || list->kind != ObjectKind::kContainer) return false;
  return std::any_of(list->elements.begin(), list->elements.end(),
                     [&](const Value& each) { return is_zero(context.state.read(each)); });
}

// Whether the first size is zero. Only in Python are numel() and its kind answered for such
// tensors.
bool is_made_empty(CallContext& context, const Operator& op) {
  if (!is_dynamic(context.activation.function()) || op.result_rank != ResultRank::kFromSizes)
    return false;
  const Value sizes = context.read(sizes_position(context, op));
  const Object* list = context.state.object_of(sizes);
  return is_zero(sizes) ||
         (list && list->kind == ObjectKind::kContainer && !list->elements.empty() &&
          is_zero(context.state.read(list->elements.front())));
}

Value factory_result(CallContext& context, const Operator& op) {
  bool from_self = op.result_place == ResultPlace::kOptionsOrSelf && context.count() > 0 &&
                   context.read(0).is_tensor();
  Rank rank = factory_rank(context, op, 0);
  if (!is_made_empty(context, op) && is_sentinel(context, op))
    return Value::tensor(Place::unknown(), rank);
  Naming naming;
  if (std::optional<Place> place = factory_place(context, from_self ? 1 : 0, naming)) {
    return placed_tensor(context, *place, rank, OriginKind::kCreated, naming);
  }
  if (op.result_place == ResultPlace::kOptionsOrSelf) {
    Value self =
        context.count() ? context.state.decider_of(context.arguments[0]) : Value::unknown();
    Value like = Value::tensor(self.is_tensor() ? self.place : Place::unknown(), rank);
    like.origin = self.origin;
    like.input = self.input;
    return like;
  }
  return placed_tensor(context, Place::cpu(), rank, OriginKind::kCreated, kByDefault);
}

Value factory(CallContext& context, const Operator& op) {
  Value made = factory_result(context, op);
  if (is_made_empty(context, op)) made.number = Value::kWithoutElements;
  for (size_t i = 0; i < context.count(); ++i) {
    const Value options = context.read(i);
    if (!options.is(ValueKind::kOptions) || options.number == 0) continue;
    note_pinned(context, made,
                options.number == Value::kPinned ? rules::Trait::kYes : rules::Trait::kUnknown);
  }
  return made;
}

bool is_free(const Operator& op, size_t position) {
  for (const models::Signature& signature : op.signatures) {
    for (const models::TensorArgument& tensor : signature.tensors) {
      if (tensor.position == position && tensor.is_free) return true;
    }
  }
  return false;
}

// Stacking looks at each tensor by itself: a 0-dim one on the CPU is refused as well.
DeviceRule effective_rule(const Operator& op) {
  static constexpr std::string_view kStacking[] = {"stack", "hstack", "vstack", "dstack",
                                                   "column_stack"};
  bool stacks =
      std::find(std::begin(kStacking), std::end(kStacking), op.name) != std::end(kStacking);
  return stacks ? DeviceRule::kExactSame : op.device_rule;
}

Value several(CallContext& context, const Value& tensor, size_t count) {
  Object tuple;
  tuple.kind = ObjectKind::kTuple;
  tuple.elements.assign(count, tensor);
  return context.make(std::move(tuple));
}

size_t result_count(const Operator& op) {
  size_t count = 0;
  for (const models::Signature& signature : op.signatures)
    count = std::max<size_t>(count, signature.result_count);
  return count;
}

// Indices that are read through may be on the CPU, wherever what they index is; those that are
// written through may be anywhere. An integer without dimensions is read as a number: see
// handleDimInMultiDimIndexing in ATen/TensorIndexing.h. Written values count where tensors index:
// with slices alone the write is a copy, which crosses devices.
std::vector<Operand> indexing_operands(CallContext& context) {
  std::vector<Operand> operands;
  std::vector<Operand> indices;
  add_operands(context, 0, operands);
  if (context.count() > 1) add_operands(context, 1, indices);
  const bool writes = context.count() > 2;
  const bool copies = indices.empty();
  for (Operand& index : indices) {
    index.role = kIndexRole;
    if (!writes && index.place.is_accelerator() && is_non_scalar(index.rank))
      operands.push_back(index);
  }
  if (writes && !copies) add_operands(context, 2, operands);
  return operands;
}

// The argument that is given for the result to be written into; nothing where there is none.
std::optional<size_t> output_position(CallContext& context) {
  switch (models::out_spelling(context.call().name)) {
    case models::OutSpelling::kFirst:
      return context.count() > 0 ? std::optional<size_t>(0) : std::nullopt;
    case models::OutSpelling::kLast:
      return context.count() > 0 ? std::optional<size_t>(context.count() - 1) : std::nullopt;
    case models::OutSpelling::kNone:
      break;
  }
  return std::nullopt;
}

// What the operation compares, in the order of the call.
std::vector<Operand> compared_operands(CallContext& context, const Operator& op,
                                       std::optional<size_t> output) {
  if (op.device_rule == DeviceRule::kIndexing) return indexing_operands(context);
  // What other operations write is compared like the rest: they may copy it, or read numbers.
  bool refuses_host_output = op.device_rule == DeviceRule::kTensorIterator;
  std::vector<Operand> operands;
  for (size_t i = 0; i < context.count(); ++i) {
    bool is_output = output == i;
    size_t in_schema = output && *output < i ? i - 1 : i;
    if (!is_output && is_free(op, in_schema)) continue;
    size_t first = operands.size();
    add_operands(context, i, operands);
    bool is_self = op.is_in_place && static_cast<int64_t>(i) == op.self_position;
    for (size_t k = first; k < operands.size(); ++k)
      operands[k].is_written = refuses_host_output && (is_output || is_self);
  }
  return operands;
}

// Of a tensor that is cut into a few pieces each is one of its own.
Object pieces(CallContext& context, const Operator& op, const Value& piece) {
  bool is_cut = op.name == "chunk" || op.name == "tensor_split";
  Value count = context.count() > 1 ? context.read(1) : Value::unknown();
  bool is_short = count.is(ValueKind::kInt) && count.number > 0 && count.number <= kMostTurns;
  if (!is_cut || !is_short) return open_list(piece);
  Object list;
  list.kind = ObjectKind::kContainer;
  list.elements.assign(static_cast<size_t>(count.number), piece);
  return list;
}

// A 0-dim tensor on the CPU says nothing of where the result is: what is not known beside it may be
// a tensor on a GPU.
bool may_be_elsewhere(CallContext& context, const Operator& op,
                      const std::vector<Operand>& operands) {
  if (operands.size() != 1 || !operands[0].place.is_cpu() || is_non_scalar(operands[0].rank))
    return false;
  const bool takes_several = std::ranges::any_of(
      op.signatures, [](const auto& signature) { return signature.tensors.size() > 1; });
  if (!takes_several) return false;
  for (size_t i = 0; i < context.count(); ++i) {
    if (context.read(i).is(ValueKind::kUnknown)) return true;
  }
  return false;
}

// A vector of one number for each replica stays one where it is computed with numbers alone.
bool keeps_gathered_scalars(const Operator& op, const std::vector<Operand>& operands) {
  constexpr std::string_view kElementwise[] = {"abs", "add", "div", "exp",        "log",
                                               "mul", "neg", "sub", "true_divide"};
  return std::ranges::find(kElementwise, op.name) != std::end(kElementwise) && !operands.empty() &&
         std::ranges::all_of(operands, [](const Operand& each) {
           return each.decider.number == Value::kGatheredScalars;
         });
}

Value operate(CallContext& context, const Operator& op) {
  std::optional<size_t> output = output_position(context);
  std::vector<Operand> operands = compared_operands(context, op, output);
  Rank rank = result_rank(context, op, operands);
  if (op.name == "pin_memory" && context.count() > 0)
    note_host_operand(context, context.arguments[0], context.range(0), op.name);
  Value self = context.count() ? context.read(0) : Value::unknown();
  if (op.name == "pin_memory" && self.is_tensor()) {
    self = context.state.decider_of(self);
    note_pinned(context, self, rules::Trait::kYes);
    return self;
  }
  if (op.result_place == ResultPlace::kOther && context.count() > 1) {
    Place place = context.state.place_of(context.arguments[1]);
    return placed_tensor(context, place, self.rank, OriginKind::kMoved);
  }
  if (op.device_rule == DeviceRule::kCopy || op.device_rule == DeviceRule::kNone) {
    const bool is_of_first = op.is_in_place || operands.size() > 1;
    if (is_of_first && (self.is_tensor() || operands.empty())) return self;
    // Of a list: where its first tensor is.
    if (is_of_first) operands.resize(1);
  }
  const bool is_elsewhere = may_be_elsewhere(context, op, operands);
  const bool is_vector = keeps_gathered_scalars(op, operands);
  Value result =
      combine(context, std::string(op.name), effective_rule(op), std::move(operands), rank);
  if (is_elsewhere) result = Value::tensor(Place::unknown(), rank);
  if (is_vector) result.number = Value::kGatheredScalars;
  if (op.is_in_place) return self;
  if (output) return context.read(*output);
  if (op.result_kind == ResultKind::kVoid || op.result_kind == ResultKind::kScalar) {
    Value answer = context.activation.fresh_symbol(context.instruction, context.state);
    if (op.name == "size")
      answer.name = context.activation.names().term(kTensorSize, {answer.name});
    return answer;
  }
  if (op.result_kind == ResultKind::kTuple && context.call().type.kind != ir::TypeKind::kTensor) {
    return several(context, result, result_count(op));
  }
  if (op.result_kind == ResultKind::kTensorList) return context.make(pieces(context, op, result));
  return result;
}

}  // namespace

int64_t pinning(const Value& wanted) {
  if (!wanted.is(ValueKind::kBool)) return Value::kPerhapsPinned;
  return wanted.number != 0 ? Value::kPinned : 0;
}

void note_pinned(CallContext& context, Value& tensor, rules::Trait pinned) {
  if (!tensor.is_tensor()) return;
  Origin origin = context.activation.origin_of(tensor.origin);
  if (tensor.origin == 0) {
    origin.kind = OriginKind::kCreated;
    origin.site = context.activation.site(context.instruction.range);
  }
  origin.pinned = pinned;
  tensor.origin = context.activation.add_origin(origin);
}

void note_host_operand(CallContext& context, const Value& operand, const ir::Range& range,
                       std::string_view operation, std::string_view parameter) {
  const Value tensor = context.state.read(operand);
  const Place place = tensor.is_tensor() ? context.state.place_of(tensor) : Place::unknown();
  if (place.kind != PlaceKind::kCuda || !place.is_known()) return;
  HostOperandEvent event;
  event.site = context.activation.site(context.instruction.range);
  event.range = range;
  event.operation = operation;
  event.parameter = parameter;
  event.place = place;
  event.origin = context.state.decider_of(tensor).origin;
  context.activation.notify(event, context.state);
}

std::optional<Value> batch_tensor(CallContext& context, const Value& value) {
  if (!value.is(ValueKind::kUnknown) || value.origin == 0) return std::nullopt;
  const LoaderFacts& loader = context.activation.origin_of(value.origin).loader;
  if (!loader.stacks || !loader.yields_on_host) return std::nullopt;
  if (context.state.find_global(context.name(kChangedBatch))) return std::nullopt;
  Value tensor = Value::tensor(Place::cpu(), Rank::kNonScalar);
  tensor.origin = value.origin;
  return tensor;
}

void note_changed_batch(CallContext& context, const Value& value) {
  if (batch_tensor(context, value))
    context.state.set_global(context.name(kChangedBatch), Value::boolean(true));
}

void add_operands(CallContext& context, size_t i, std::vector<Operand>& operands) {
  const Value& raw = context.arguments[i];
  auto add = [&](const Value& tensor, bool is_part) {
    Operand operand;
    operand.decider = context.state.decider_of(tensor);
    operand.place = context.state.place_of(tensor);
    operand.rank = tensor.rank;
    operand.range = context.range(i);
    operand.stray = tensor.stray;
    operand.member = tensor.stray ? tensor.name : 0;
    operand.is_module_state = tensor.place.kind == PlaceKind::kCell;
    operand.origin = operand.decider.origin;
    operand.is_part = is_part;
    operands.push_back(operand);
  };
  Value value = context.activation.read_member(context.state, raw);
  if (const std::optional<Value> of_batch = batch_tensor(context, value)) value = *of_batch;
  if (value.is_tensor()) {
    add(value, false);
    return;
  }
  const Object* object = context.state.object_of(raw);
  const bool aggregate = object && is_list(*object);
  // The options of a functional loss.
  for (std::string_view option : {"weight", "pos_weight"}) {
    bool is_library = object && object->kind == ObjectKind::kLibrary;
    const Value* given = is_library ? object->find(context.name(option)) : nullptr;
    if (given && given->is_tensor()) add(*given, true);
  }
  if (!aggregate) return;
  std::vector<Value> tensors = object->elements;
  if (object->open) tensors.push_back(object->rest);
  for (const std::string_view replicas : {kOfFirstReplica, kOfSecondReplica}) {
    if (const Value* added = object->find(context.name(replicas))) tensors.push_back(*added);
  }
  for (const Value& element : tensors) {
    const Value direct = context.state.read(element);
    const Value tensor = batch_tensor(context, direct).value_or(direct);
    if (tensor.is_tensor()) add(tensor, true);
  }
}

std::vector<Operand> operands_of_pair(CallContext& context, const Value& a, const Value& b) {
  const std::vector<Value> pair{a, b};
  CallContext inner{context.activation, context.state, context.instruction, pair};
  std::vector<Operand> operands;
  add_operands(inner, 0, operands);
  add_operands(inner, 1, operands);
  if (operands.size() != 2) operands.clear();
  return operands;
}

Value combine(CallContext& context, const std::string& operation, DeviceRule rule,
              std::vector<Operand> operands, Rank rank) {
  const Operand* decisive = nullptr;
  bool all_known_scalars = true;
  for (const Operand& operand : operands) {
    all_known_scalars = all_known_scalars && operand.rank == Rank::kScalar;
    bool counts =
        operand.place.kind != PlaceKind::kUnknown &&
        (is_non_scalar(operand.rank) || operand.place.is_accelerator() || operands.size() == 1);
    bool from_file = decisive && decisive->place.kind == PlaceKind::kAlike &&
                     context.activation.origin_of(decisive->origin).by_file;
    bool better = !decisive || (decisive->place.is_cpu() && operand.place.is_accelerator()) ||
                  (from_file && operand.place.is_known());
    if (counts && better) decisive = &operand;
  }
  if (!decisive && !operands.empty()) {
    // Only operands of unknown rank: the result is where they all are.
    bool agree = std::all_of(operands.begin(), operands.end(),
                             [&](const Operand& o) { return o.place == operands[0].place; });
    if (agree) decisive = &operands[0];
  }
  Value result = Value::tensor(decisive ? decisive->place : Place::unknown(), rank);
  if (decisive) {
    result.origin = decisive->origin;
    result.input = decisive->decider.input;
    result.stray = decisive->stray;
    result.name = decisive->member;
  }
  if (operands.size() > 1) {
    MeetEvent event;
    event.site = context.activation.site(context.instruction.range);
    event.operation = operation;
    event.rule = rule;
    event.operands = std::move(operands);
    context.activation.meet(std::move(event), context.state);
  }
  return result;
}

bool operator_call(CallContext& context, Value& result) {
  const std::string& name = context.call().name;
  if (context.count() > 0 &&
      (name.starts_with("at::Tensor") || name.starts_with("torch::Tensor"))) {
    const models::TensorQuery* found = models::find_tensor_query(ir::last_component(name));
    bool asks_for_device = found && found->kind == models::QueryKind::kDevice;
    if (asks_for_device || (found && !models::aten_name(name)))
      return tensor_query(context, *found, result);
  }
  std::optional<std::string_view> aten = models::aten_name(name);
  const Operator* op = aten ? models::find_operator(*aten) : nullptr;
  if (!op) return false;
  if (op->name == "backward") {
    note_backward(context);
    run_backward_functions(context);
  }
  result = op->is_factory() ? factory(context, *op) : operate(context, *op);
  if (op->is_factory()) result.requires_grad = asks_for_gradient(context);
  if (op->name == "requires_grad_") {
    result.requires_grad = context.count() < 2 || context.read(1).number != 0;
    if (!result.requires_grad) note_frozen(context);
  }
  note_generators(context, result);
  return true;
}

// A tensor, or those of a list or tuple of which all are known.
static std::vector<Value> tensors_in(const CallContext& context, size_t argument) {
  const Value whole = context.read(argument);
  const Object* list = context.state.object_of(whole);
  if (!list || !is_list(*list)) return {whole};
  std::vector<Value> tensors;
  for (const Value& each : list->open ? std::vector<Value>() : list->elements)
    tensors.push_back(context.state.read(each));
  return tensors;
}

void meet_gradients(CallContext& context, size_t outputs, size_t gradients) {
  const Operator* backward = models::find_operator("backward");
  if (gradients >= context.count() || !backward) return;
  const std::vector<Value> of = tensors_in(context, outputs);
  const std::vector<Value> given = tensors_in(context, gradients);
  for (size_t i = 0; i < of.size() && of.size() == given.size(); ++i) {
    std::vector<Operand> operands = operands_of_pair(context, of[i], given[i]);
    if (operands.empty()) continue;
    operands[0].range = context.range(outputs);
    operands[0].is_part = !context.read(outputs).is_tensor();
    operands[1].range = context.range(gradients);
    operands[1].is_part = !context.read(gradients).is_tensor();
    combine(context, "backward", effective_rule(*backward), std::move(operands), Rank::kUnknown);
  }
}

bool tensor_effect(CallContext& context, Effect effect, Value& result) {
  if (context.count() == 0) {
    if (effect != Effect::kMakeTensor) return false;
    result = Value::none();
    return true;
  }
  switch (effect) {
    case Effect::kTransfer:
      result = transfer(context);
      return true;
    case Effect::kToCuda:
      result = placed_tensor(context, context.state.thread.current_device, context.read(0).rank,
                             OriginKind::kMoved, kByDefault);
      return true;
    case Effect::kToCpu:
      result = placed_tensor(context, Place::cpu(), context.read(0).rank, OriginKind::kMoved,
                             kByDefault);
      return true;
    case Effect::kTensorFromData:
      result = from_data(context);
      return true;
    case Effect::kFromBlob:
      result = from_blob(context);
      return true;
    case Effect::kMakeTensor:
    case Effect::kGradientOf:
      result = context.read(0);
      return true;
    case Effect::kClipGradNorm:
      combine_gradients(context, context.read(0), "stack", Rank::kScalar);
      result = Value::unknown();
      return true;
    case Effect::kBackwardOf:
      meet_gradients(context, 0, 1);
      note_backward(context);
      result = Value::none();
      return true;
    case Effect::kSetParameters:
      if (context.count() > 1) set_parameters(context);
      result = Value::none();
      return true;
    case Effect::kPackSequence:
      if (context.count() > 1)
        note_host_operand(context, context.arguments[1], context.range(1), "pack_padded_sequence",
                          "lengths");
      result = make_packed(context, context.read(0));
      return true;
    case Effect::kPackedTensor:
      result = packed_tensor(context, context.arguments[0]).value_or(Value::unknown());
      return true;
    case Effect::kUnpackSequence:
      result = unpacked(context, context.arguments[0]);
      return true;
    case Effect::kSetData:
      set_data(context);
      result = Value::unknown();
      return true;
    default:
      return false;
  }
}

}  // namespace placecheck::dataflow
