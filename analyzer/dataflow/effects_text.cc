// Texts: device names, paths and keys as they are put together and taken apart.
#include "analyzer/dataflow/effects.h"
#include "analyzer/dataflow/scalars.h"

namespace placecheck::dataflow {
namespace {

using models::Effect;

bool append_text(CallContext& context) {
  if (context.count() != 2) return false;
  Activation& activation = context.activation;
  std::optional<Value> sum = evaluate("op.add", context.read(0), context.read(1),
                                      activation.names(), activation.assumed_devices());
  if (!sum || !(sum->is(ValueKind::kString) || sum->is(ValueKind::kSymbol))) return false;
  activation.assign(context.state, context.arguments[0], *sum);
  return true;
}

}  // namespace

bool text_effect(CallContext& context, Effect effect, Value& result) {
  switch (effect) {
    case Effect::kTextLength: {
      Value text = context.read(0);
      if (!text.is(ValueKind::kString)) return false;
      result =
          Value::integer(static_cast<int64_t>(context.activation.names().text(text.name).size()));
      return true;
    }
    case Effect::kAppendText:
      if (!append_text(context)) return false;
      result = context.arguments[0];
      return true;
    default:
      return false;
  }
}

}  // namespace placecheck::dataflow
