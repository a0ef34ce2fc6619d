// Random number generators, by their Python names: each draws numbers for one kind of device.
#include "analyzer/dataflow/dynamic.h"
#include "analyzer/dataflow/effects.h"

namespace placecheck::dataflow {
namespace {

constexpr std::string_view kParameter = "generator";

// The generator that the whole program shares is one of the CPU.
bool is_default_generator(CallContext& context, const Value& value) {
  std::optional<std::string> name = library_name(context, value);
  return name == "torch.default_generator" || name == "torch.random.default_generator";
}

void note_use(CallContext& context, const Given& given, size_t i, const Place& needed,
              OriginId needed_at) {
  const Value generator = context.state.read(given.values[i]);
  bool is_default = is_default_generator(context, generator);
  if (!is_default && !is_generator(context, generator)) return;
  Value drawn = generator;
  if (is_default) drawn.place = Place::cpu();
  note_generator_use(context, drawn, given.sources[i], needed, needed_at);
}

}  // namespace

std::optional<Value> make_generator(CallContext& context, const std::string& name,
                                    const Given& given) {
  if (name == "torch.manual_seed" || name == "torch.random.manual_seed")
    return generator_on(context, Place::cpu());
  if (name != "torch.Generator") return std::nullopt;
  std::optional<size_t> device = given.find("device", 0);
  if (!device) return generator_on(context, given.is_open ? Place::unknown() : Place::cpu());
  Value named = as_device(context, given.values[*device]);
  if (named.is(ValueKind::kNone)) return generator_on(context, Place::cpu());
  return generator_on(context, named.is(ValueKind::kDevice) ? resolve(context.state, named.place)
                                                            : Place::unknown());
}

std::optional<Value> generator_method(CallContext& context, std::string_view name,
                                      const Given& given) {
  if (given.size() == 0 || !is_generator(context, given.values[0])) return std::nullopt;
  bool is_self = name == "manual_seed" || name == "set_state" || name == "set_offset";
  bool is_same_kind = name == "clone_state" || name == "graphsafe_set_state";
  if (is_self || is_same_kind) return given.values[0];
  if (name == "get_state") return host_tensor(context);
  return context.activation.fresh_symbol(context.instruction, context.state);
}

std::optional<Value> generator_attribute(CallContext& context, const Value& generator,
                                         std::string_view name) {
  if (!is_generator(context, generator)) return std::nullopt;
  if (name != "device") return Value::unknown();
  Value device = Value::device(generator.place);
  device.origin = generator.origin;
  return device;
}

void note_generator(CallContext& context, const Given& given, const Value& tensor) {
  std::optional<size_t> generator = given.named(kParameter);
  if (!generator || given.is_tried || !context.state.read(tensor).is_tensor()) return;
  note_use(context, given, *generator, context.state.place_of(tensor),
           context.state.decider_of(tensor).origin);
}

std::optional<Value> generator_state(CallContext& context, std::string_view name,
                                     const Given& given) {
  static constexpr std::string_view kPackages[] = {"torch.", "torch.random.", "torch.cuda.",
                                                   "torch.cuda.random."};
  const std::string_view function = last_part(name);
  const std::string_view package = name.substr(0, name.size() - function.size());
  if (std::ranges::find(kPackages, package) == std::end(kPackages)) return std::nullopt;
  if (function == "get_rng_state") return host_tensor(context);
  const std::optional<size_t> state = given.find("new_state", 0);
  if (function != "set_rng_state" || !state || given.is_tried) return std::nullopt;
  note_host_operand(context, given.values[*state], context.range(given.sources[*state]), function,
                    "new_state");
  return Value::none();
}

void note_host_generator(CallContext& context, const Given& given, size_t position) {
  std::optional<size_t> generator = given.find(kParameter, position);
  if (generator && !given.is_tried) note_use(context, given, *generator, Place::cpu(), 0);
}

}  // namespace placecheck::dataflow
