// io.BytesIO, which checkpoints are written to and read from: what was saved is kept with the
// object, and goes along with the bytes that are taken out of it.
#include "analyzer/dataflow/dynamic.h"
#include "analyzer/dataflow/effects.h"

namespace placecheck::dataflow {
namespace {

constexpr std::string_view kBuffer = "io.BytesIO";
constexpr std::string_view kBytes = "bytes of a buffer";
constexpr std::string_view kSaved = "saved";

ObjectId id_of_kind(CallContext& context, const Value& value, std::string_view type) {
  return is_kind(context, context.state.object_of(value), type) ? context.state.object_id_of(value)
                                                                : kNoObject;
}

void set_saved(CallContext& context, ObjectId buffer, const Value& saved) {
  context.state.edit(buffer).set(context.name(kSaved), saved);
}

const Value* saved_in(CallContext& context, ObjectId object) {
  return object == kNoObject ? nullptr : context.state.object(object).find(context.name(kSaved));
}

}  // namespace

std::optional<Value> make_buffer(CallContext& context, const std::string& name,
                                 const Given& given) {
  if (name != kBuffer) return std::nullopt;
  const Value* saved = nullptr;
  if (given.size() > 0) saved = saved_in(context, id_of_kind(context, given.values[0], kBytes));
  Object buffer = context.library_object(kBuffer);
  if (saved) buffer.set(context.name(kSaved), *saved);
  return context.make(std::move(buffer));
}

std::optional<Value> buffer_method(CallContext& context, const std::string& name,
                                   const Given& given) {
  const ObjectId buffer = id_of_kind(context, given.values[0], kBuffer);
  if (buffer == kNoObject) return std::nullopt;
  const Value* saved = saved_in(context, buffer);
  if (saved && (name == "getvalue" || name == "getbuffer" || name == "read")) {
    Object bytes = context.library_object(kBytes);
    bytes.set(context.name(kSaved), *saved);
    return context.make(std::move(bytes));
  }
  if (name == "write" && given.size() > 1) {
    const Value* written = saved_in(context, id_of_kind(context, given.values[1], kBytes));
    set_saved(context, buffer, written && !saved ? *written : Value::unknown());
  }
  return Value::unknown();
}

bool write_buffer(CallContext& context, const Value& file, const Value& saved) {
  const ObjectId buffer = id_of_kind(context, file, kBuffer);
  if (buffer == kNoObject) return false;
  set_saved(context, buffer, saved_in(context, buffer) ? Value::unknown() : saved);
  return true;
}

std::optional<Value> read_buffer(CallContext& context, const Value& file) {
  const ObjectId buffer = id_of_kind(context, file, kBuffer);
  if (buffer == kNoObject) return std::nullopt;
  const Value* saved = saved_in(context, buffer);
  return saved ? *saved : Value::unknown();
}

}  // namespace placecheck::dataflow
