// What makes tensors and layers, and the device on which those are made that name none.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/dataflow/dynamic.h"
#include "analyzer/models/libraries/modules.h"
#include "analyzer/models/libraries/python_names.h"

namespace placecheck::dataflow {
namespace {

// Each block `with device:` has its own default, which the blocks within it replace until they end.
// How many there are, and the default of each; that of none is what the program has set for all.
constexpr std::string_view kBlocks = "<blocks with a default device>";
constexpr std::string_view kDefaultDevice = "<default device of block>";

Name default_of_block(Names& names, int64_t block) {
  return names.intern(std::string(kDefaultDevice) + std::to_string(block));
}

// Nothing where paths with different blocks have met.
std::optional<int64_t> count_of_blocks(const State& state, Names& names) {
  const Value* blocks = state.find_global(names.intern(kBlocks));
  if (!blocks) return 0;
  return blocks->is(ValueKind::kInt) ? std::optional(blocks->number) : std::nullopt;
}

// Where what is made without a device goes; nothing where the program has set no default.
std::optional<Value> default_device(CallContext& context) {
  Names& names = context.activation.names();
  const std::optional<int64_t> block = count_of_blocks(context.state, names);
  if (!block) return Value::unknown();
  const Value* device = context.state.find_global(default_of_block(names, *block));
  if (!device || device->is(ValueKind::kNone)) return std::nullopt;
  Value found = *device;
  found.place =
      found.is(ValueKind::kDevice) ? resolve(context.state, found.place) : Place::unknown();
  return found;
}

void set_default_of_block(CallContext& context, int64_t block, const Value& device) {
  const bool is_known = device.is(ValueKind::kNone) || device.is(ValueKind::kDevice);
  context.state.set_global(default_of_block(context.activation.names(), block),
                           is_known ? device : Value::unknown());
}

// What the keyword `device` says: options with that place; with an unknown one where it is unknown.
// Without it, those of the default device, except where the result is made like another tensor.
Value options_of(CallContext& context, const Given& given, bool is_like_another = false) {
  Value options = Value::options();
  const std::optional<Value> otherwise = default_device(context);
  if (otherwise && !is_like_another) {
    options.has_place = true;
    options.place = otherwise->place;
    options.origin = otherwise->origin;
  }
  if (std::optional<size_t> at = given.named("device")) {
    Value device = as_device(context, given.values[*at]);
    if (!device.is(ValueKind::kNone)) {
      options.has_place = true;
      options.place = device.is(ValueKind::kDevice) ? device.place : Place::unknown();
      options.origin = device.origin;
      options.input = device.input;
    }
  }
  // A device is given by name: `*sizes` holds none.
  if (given.open_table) options.has_place = true;
  if (std::optional<size_t> at = given.named("requires_grad")) {
    const Value& wanted = given.values[*at];
    options.requires_grad = !wanted.is(ValueKind::kBool) || wanted.number != 0;
  }
  if (const std::optional<size_t> at = given.named("pin_memory")) {
    options.number = pinning(given.values[*at]);
  }
  return options;
}

// The layers of `Sequential(stem, *[Block() for _ in range(depth)], head)`: of those of unknown
// number, what is known stands for all.
Given with_open_layers(CallContext& context, const Given& given) {
  const auto is_module = [&](const Value& each) {
    const Object* object = context.state.object_of(each);
    return object && object->is_module();
  };
  if (given.of_open_list.empty() || !std::ranges::all_of(given.of_open_list, is_module))
    return given;
  Given all;
  for (size_t i = 0; i <= given.size(); ++i) {
    for (const Value& each : given.of_open_list) {
      if (i == given.open_list_at) all.add(each, {}, Given::kMade);
    }
    if (i < given.size()) all.add(given.values[i], given.names[i], given.sources[i]);
  }
  return all;
}

}  // namespace

Exits make_tensor(CallContext& context, std::string_view operation, const Given& given) {
  // `torch.arange(n, out=ids)` writes into a tensor that is there.
  if (std::optional<size_t> out = given.named("out")) {
    const Value tensor = context.state.read(given.values[*out]);
    return one(context, tensor.is_tensor() ? tensor : Value::unknown());
  }
  Given arguments;
  std::vector<size_t> positional = given.positional();
  bool has_self = operation.ends_with("_like") || operation.starts_with("new_");
  size_t next = 0;
  if (has_self && !positional.empty()) {
    arguments.add(given.values[positional[0]], {}, given.sources[positional[0]]);
    next = 1;
  }
  static constexpr std::string_view kSized[] = {"empty", "ones",      "rand",     "randn",
                                                "zeros", "new_empty", "new_ones", "new_zeros"};
  bool is_sized = std::ranges::find(kSized, operation) != std::end(kSized);
  if (is_sized) {
    std::optional<size_t> size = given.named("size");
    if (size) {
      arguments.add(given.values[*size], {}, given.sources[*size]);
    } else if (positional.size() == next + 1 &&
               (is_list(context, given.values[positional[next]]) ||
                given.values[positional[next]].is(ValueKind::kUnknown))) {
      arguments.add(given.values[positional[next]], {}, given.sources[positional[next]]);
    } else {
      std::vector<Value> sizes;
      for (size_t i = next; i < positional.size(); ++i)
        sizes.push_back(given.values[positional[i]]);
      // Several sizes are several dimensions, known or not.
      arguments.add(make_list(context, std::move(sizes), ObjectKind::kContainer, 983), {},
                    Given::kMade);
    }
  } else {
    for (size_t i = next; i < positional.size(); ++i) {
      Value value = given.values[positional[i]];
      // What is not known there is a number or sizes, and no device.
      if (value.is(ValueKind::kUnknown)) value = unknown_scalar(context);
      const Object* object = context.state.object_of(value);
      if (object && object->kind == ObjectKind::kTuple)
        value = make_list(context, object->elements, ObjectKind::kContainer,
                          984 + static_cast<uint32_t>(i));
      arguments.add(value, {}, given.sources[positional[i]]);
    }
    if (std::optional<size_t> size = given.named("size"))
      arguments.add(given.values[*size], {}, given.sources[*size]);
  }
  arguments.add(options_of(context, given, has_self), {}, Given::kMade);
  // zeros(()) has no dimension.
  const Object* sizes = is_sized && positional.size() == next + 1
                            ? context.state.object_of(given.values[positional[next]])
                            : nullptr;
  bool is_scalar = sizes && sizes->elements.empty() && !sizes->open;
  Exits exits = call_as(context, arguments, "at::" + std::string(operation));
  // `zeros(*sizes)` is refused where there are none.
  const bool is_of_spread_sizes = is_sized && given.is_open && !given.open_table;
  for (Exit& exit : exits) {
    if (is_scalar && exit.value.is_tensor()) exit.value.rank = Rank::kScalar;
    if (is_of_spread_sizes && exit.value.is_tensor()) exit.value.rank = Rank::kNonScalar;
    CallContext after{context.activation, exit.state, context.instruction, context.arguments};
    note_generator(after, given, exit.value);
  }
  return exits;
}

Exits tensor_from_data(CallContext& context, const Given& given) {
  Given arguments;
  std::optional<size_t> data = given.find("data", 0);
  Value value = data ? given.values[*data] : Value::unknown();
  bool is_tensor = value.is_tensor();
  arguments.add(is_tensor ? Value::unknown() : value, {},
                data ? given.sources[*data] : Given::kMade);
  arguments.add(options_of(context, given), {}, Given::kMade);
  return call_as(context, arguments, "at::tensor");
}

Exits make_layer(CallContext& context, const std::string& name, const Given& written) {
  const bool is_sequence = name == "torch.nn.Sequential";
  const Given given = is_sequence ? with_open_layers(context, written) : written;
  Given arguments;
  std::string api = models::python_class_name(name);
  const models::ModuleModel* model = models::find_module_model(api);
  bool is_container = model && (model->forward == models::Forward::kSequential ||
                                model->forward == models::Forward::kNone);
  std::optional<size_t> weight = given.find("weight", 0);
  std::optional<size_t> pos_weight = given.named("pos_weight");
  if (is_container) {
    for (size_t i = 0; i < given.size(); ++i) {
      // A table names what it holds.
      const Object* table = context.state.object_of(given.values[i]);
      bool has_names = table && table->kind == ObjectKind::kContainer && !table->open &&
                       !table->keys.empty() && table->keys.size() == table->elements.size();
      if (has_names) {
        for (size_t k = 0; k < table->keys.size(); ++k) {
          arguments.add(table->keys[k], {}, Given::kMade);
          arguments.add(table->elements[k], {}, given.sources[i]);
        }
      } else {
        arguments.add(given.values[i], {}, given.sources[i]);
      }
    }
  } else if (model && models::is_loss(model->forward) && (weight || pos_weight)) {
    Object options = context.library_object("Options");
    if (weight && given.values[*weight].is_tensor())
      options.set(context.name("weight"), given.values[*weight]);
    // A number of its own joins what it is multiplied with.
    bool is_number = pos_weight && given.values[*pos_weight].rank == Rank::kScalar;
    if (pos_weight && !is_number && given.values[*pos_weight].is_tensor())
      options.set(context.name("pos_weight"), given.values[*pos_weight]);
    arguments.add(context.make(std::move(options), 985), {}, Given::kMade);
  }
  const std::optional<Value> otherwise = default_device(context);
  Exits exits = call_as(context, arguments, api, ir::CallKind::kConstruct);
  std::optional<size_t> device = given.named("device");
  bool is_open = given.is_open;
  if (otherwise && !device) {
    for (Exit& exit : exits) {
      ObjectId id = exit.state.object_id_of(exit.value);
      if (id != kNoObject) move_module(exit.state, id, otherwise->place, otherwise->origin);
    }
  }
  for (size_t i = 0; is_container && i < given.size(); ++i)
    is_open |= given.values[i].is(ValueKind::kUnknown);
  for (Exit& exit : exits) {
    ObjectId id = exit.state.object_id_of(exit.value);
    if (id == kNoObject) continue;
    CallContext after{context.activation, exit.state, context.instruction, context.arguments};
    note_parameters(after, id, name, written);
    if (is_open && is_container) exit.state.edit(id).complete = false;
    if (!device && !is_open) continue;
    Value place = device ? as_device(after, given.values[*device]) : Value::unknown();
    if (place.is(ValueKind::kNone)) continue;
    move_module(exit.state, id,
                place.is(ValueKind::kDevice) ? resolve(exit.state, place.place) : Place::unknown(),
                after.origin(OriginKind::kCreated));
  }
  return exits;
}

Value make_parameter(CallContext& context, const Given& given) {
  std::optional<size_t> data = given.find("data", 0);
  Value tensor = data ? context.state.decider_of(given.values[*data]) : Value::unknown();
  if (!tensor.is_tensor()) tensor = Value::tensor(Place::unknown(), Rank::kUnknown);
  tensor.requires_grad = true;
  tensor.stray = false;
  Object cell;
  cell.kind = ObjectKind::kCell;
  cell.elements.push_back(tensor);
  Value handle = Value::tensor(Place::cell(context.make(std::move(cell), 986).object), tensor.rank);
  handle.origin = tensor.origin;
  handle.requires_grad = true;
  return handle;
}

void set_default_device(CallContext& context, const Value& device) {
  if (std::optional<int64_t> block = count_of_blocks(context.state, context.activation.names()))
    set_default_of_block(context, *block, device);
}

bool has_default_device(CallContext& context) { return default_device(context).has_value(); }

Place place_of_new_tensors(CallContext& context) {
  const std::optional<Value> device = default_device(context);
  return device ? device->place : Place::cpu();
}

void enter_default_device(CallContext& context, const Value& device) {
  Names& names = context.activation.names();
  const std::optional<int64_t> outer = count_of_blocks(context.state, names);
  if (!outer) return;
  context.state.set_global(names.intern(kBlocks), Value::integer(*outer + 1));
  set_default_of_block(context, *outer + 1, device);
}

void leave_default_device(State& state, Names& names) {
  const std::optional<int64_t> inner = count_of_blocks(state, names);
  if (inner && *inner > 0) state.set_global(names.intern(kBlocks), Value::integer(*inner - 1));
}

}  // namespace placecheck::dataflow
