// What a tensor is asked about itself: its device, its options, its numbers.
#include "analyzer/dataflow/effects.h"
#include "analyzer/dataflow/optimizers.h"

namespace placecheck::dataflow {

using models::Effect;
using models::QueryKind;

namespace {

// Whether a tensor is some element of a container, or was looked up where there may be none.
bool is_not_known(const Value& tensor) { return tensor.one_of || tensor.is(ValueKind::kUnknown); }

}  // namespace

bool tensor_query(CallContext& context, const models::TensorQuery& query, Value& result) {
  Value self = context.state.decider_of(context.arguments[0]);
  switch (query.kind) {
    case QueryKind::kDevice:
      if (query.name == "device") {
        result = Value::device(self.is_tensor() ? self.place : Place::unknown());
        result.input = self.input;
        result.asked = true;
        return true;
      }
      if (query.name == "is_cuda" || query.name == "is_cpu") {
        return device_effect(context,
                             query.name == "is_cuda" ? Effect::kDeviceIsCuda : Effect::kDeviceIsCpu,
                             result);
      }
      result = query.name == "get_device"
                   ? number_of(context, self.is_tensor() ? self.place : Place::unknown())
                   : context.activation.fresh_symbol(context.instruction, context.state);
      result.asked = true;
      return true;
    case QueryKind::kOptions:
      if (query.name == "options") {
        result = Value::options();
        result.has_place = true;
        result.place = self.is_tensor() ? self.place : Place::unknown();
        result.input = self.input;
        return true;
      }
      result = Value::unknown();
      return true;
    case QueryKind::kSelf:
    case QueryKind::kGradient:
      result = context.read(0);
      if (query.name == "set_requires_grad") {
        result.requires_grad = context.count() < 2 || context.read(1).number != 0;
        if (!result.requires_grad) note_frozen(context);
      }
      // `data` is a leaf; of a copy that is asked for a gradient, it is not known.
      if (result.is_non_leaf()) result.number = 0;
      return true;
    case QueryKind::kHostScalar:
      if (query.name == "defined" && is_not_known(context.read(0))) {
        result = lost_answer(context);
        return true;
      }
      if (query.name == "defined" && context.read(0).is_tensor()) {
        result = Value::boolean(true);
        return true;
      }
      if (query.name == "defined" && context.read(0).is(ValueKind::kNone)) {
        result = Value::boolean(false);
        return true;
      }
      result = context.activation.fresh_symbol(context.instruction, context.state);
      return true;
    case QueryKind::kShape:
    case QueryKind::kVoid:
      result = Value::unknown();
      return true;
  }
  return false;
}

}  // namespace placecheck::dataflow
