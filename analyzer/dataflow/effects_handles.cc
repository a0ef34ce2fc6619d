// Streams, events and library handles: each belongs to the device on which it was made. Threads:
// each starts on the first device.
#include "analyzer/dataflow/effects.h"

namespace placecheck::dataflow {
namespace {

using models::Effect;

// The numbers of cublasPointerMode_t.
constexpr int64_t kHostMode = 0;
constexpr int64_t kDeviceMode = 1;

// Kept beside the handle, whose copies share it.
Name mode_of(CallContext& context, const Value& handle) {
  return context.name("@pointer mode of " + context.activation.names().text(handle.name) + " on " +
                      to_text(handle.place, context.activation.names()));
}

// Whether the handle was given a stream: false, or something else than that.
Name stream_of(CallContext& context, const Value& handle) {
  return context.name("@stream of " + context.activation.names().text(handle.name) + " on " +
                      to_text(handle.place, context.activation.names()));
}

bool is_null(const Value& stream) {
  return stream.is(ValueKind::kNone) || (stream.is(ValueKind::kInt) && stream.number == 0);
}

void select_stream(CallContext& context) {
  Value handle = context.read(0);
  if (handle.is_handle())
    context.state.set_global(stream_of(context, handle), Value::boolean(!is_null(context.read(1))));
}

void set_pointer_mode(CallContext& context) {
  Value handle = context.read(0);
  if (handle.is_handle()) context.state.set_global(mode_of(context, handle), context.read(1));
}

void store_pointer_mode(CallContext& context) {
  const Value handle = context.read(0);
  const Value* mode =
      handle.is_handle() ? context.state.find_global(mode_of(context, handle)) : nullptr;
  if (context.count() < 2) return;
  context.activation.assign(
      context.state, context.arguments[1],
      mode ? *mode : context.activation.fresh_symbol(context.instruction, context.state));
}

void make_handle(CallContext& context, std::string_view what) {
  if (context.count() == 0) return;
  start_devices(context);
  Value handle =
      Value::handle(context.name(what), current_device(context.activation, context.state),
                    context.origin(OriginKind::kAllocated));
  context.activation.assign(context.state, context.arguments[0], handle);
}

void make_blas_handle(CallContext& context) {
  make_handle(context, "handle " + context.activation.number_of(context.instruction));
  Value handle = context.read(0);
  if (!handle.is_handle()) return;
  context.state.set_global(mode_of(context, handle), Value::integer(kHostMode));
  context.state.set_global(stream_of(context, handle), Value::boolean(false));
}

// What a handle has to be used with: another handle, or the current device where that is none.
void use_together(CallContext& context, size_t i, size_t other) {
  Value with = context.read(other);
  bool is_default = other >= context.count() || is_null(with);
  if (with.is_handle()) {
    use_handle(context, i, with.place, with.origin);
  } else if (is_default) {
    use_handle(context, i, current_device(context.activation, context.state),
               context.state.thread.selected_at);
  }
}

void store_current_device(CallContext& context) {
  if (context.count() == 0) return;
  Place place = current_device(context.activation, context.state);
  context.activation.assign(context.state, context.arguments[0], number_of(context, place));
}

}  // namespace

void use_handle(CallContext& context, size_t i, const Place& needed, OriginId needed_at) {
  Value handle = context.read(i);
  if (i >= context.count() || !handle.is_handle()) return;
  HandleUseEvent event;
  event.site = context.activation.site(context.instruction.range);
  event.operation = context.call().name;
  event.what = context.activation.names().text(handle.name);
  event.what = event.what.substr(0, event.what.find(' '));
  event.range = context.range(i);
  event.place = handle.place;
  event.origin = handle.origin;
  event.needed = needed;
  event.needed_at = needed_at;
  context.activation.notify(event, context.state);
}

std::optional<bool> reads_scalars_on_device(CallContext& context) {
  Value handle = context.read(0);
  if (!handle.is_handle()) return std::nullopt;
  const Value* mode = context.state.find_global(mode_of(context, handle));
  bool is_known = mode && mode->is(ValueKind::kInt) &&
                  (mode->number == kHostMode || mode->number == kDeviceMode);
  return is_known ? std::optional<bool>(mode->number == kDeviceMode) : std::nullopt;
}

bool has_no_stream(CallContext& context) {
  Value handle = context.read(0);
  const Value* given =
      handle.is_handle() ? context.state.find_global(stream_of(context, handle)) : nullptr;
  return given && given->is(ValueKind::kBool) && given->number == 0;
}

bool handle_effect(CallContext& context, Effect effect, Value& result) {
  switch (effect) {
    case Effect::kMakeStream:
      make_handle(context, "stream");
      break;
    case Effect::kMakeEvent:
      make_handle(context, "event");
      break;
    case Effect::kMakeBlasHandle:
      make_blas_handle(context);
      break;
    case Effect::kStorePointerMode:
      store_pointer_mode(context);
      break;
    case Effect::kSetPointerMode:
      set_pointer_mode(context);
      break;
    case Effect::kSelectStream:
      use_together(context, 1, 0);
      select_stream(context);
      break;
    case Effect::kRecordEvent:
      use_together(context, 0, 1);
      break;
    case Effect::kCompareEvents:
      if (context.read(2).is_handle()) use_together(context, 1, 2);
      break;
    case Effect::kStoreCurrentDevice:
      start_devices(context);
      store_current_device(context);
      break;
    case Effect::kSucceed:
      start_devices(context);
      break;
    default:
      return false;
  }
  result = Value::integer(0);
  return true;
}

}  // namespace placecheck::dataflow
