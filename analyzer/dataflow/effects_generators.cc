// Random number generators: each draws numbers for one kind of device.
#include <utility>

#include "analyzer/dataflow/effects.h"

namespace placecheck::dataflow {

Value generator_on(CallContext& context, const Place& place) {
  return Value::handle(context.name(kGenerator), place, context.origin(OriginKind::kAllocated));
}

bool is_generator(CallContext& context, const Value& value) {
  return value.is_handle() && context.activation.names().text(value.name) == kGenerator;
}

void note_generator_use(CallContext& context, const Value& generator, size_t source,
                        const Place& needed, OriginId needed_at, std::string operation) {
  HandleUseEvent event;
  event.site = context.activation.site(context.instruction.range);
  event.operation = operation.empty() ? context.call().name : std::move(operation);
  event.what = kGenerator;
  event.range = context.range(source);
  event.place = resolve(context.state, generator.place);
  event.origin = generator.origin;
  event.needed = resolve(context.state, needed);
  event.needed_at = needed_at;
  context.activation.notify(event, context.state);
}

void note_generators(CallContext& context, const Value& drawn) {
  if (!drawn.is_tensor()) return;
  const Value tensor = context.state.decider_of(drawn);
  for (size_t i = 0; i < context.count(); ++i) {
    const Value given = context.read(i);
    if (is_generator(context, given))
      note_generator_use(context, given, i, context.state.place_of(drawn), tensor.origin);
  }
}

bool generator_effect(CallContext& context, models::Effect effect, Value& result) {
  if (effect == models::Effect::kMakeHostGenerator) {
    result = generator_on(context, Place::cpu());
    return true;
  }
  if (effect != models::Effect::kMakeDeviceGenerator) return false;
  const Value index = context.read(0);
  result = generator_on(context, index.is(ValueKind::kInt) && index.number >= 0
                                     ? Place::cuda(static_cast<int32_t>(index.number))
                                     : Place::cuda_at(0));
  return true;
}

}  // namespace placecheck::dataflow
