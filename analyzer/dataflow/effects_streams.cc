// Streams of characters that checkpoints are written to and read from. Each stands for a path: that
// of its file, or a name for its text in memory, which another stream may be made of.
#include <ios>

#include "analyzer/dataflow/effects.h"
#include "analyzer/dataflow/saved_files.h"
#include "analyzer/dataflow/scalars.h"

namespace placecheck::dataflow {
namespace {

using models::Effect;

constexpr std::string_view kPath = "path";
constexpr std::string_view kIsWritten = "is written";
constexpr std::string_view kPickled = "<pickled>";

bool is_path(const Value& value) {
  return value.is(ValueKind::kString) || value.is(ValueKind::kSymbol);
}

Value made_stream(CallContext& context, const Value& path) {
  Object stream = context.library_object(context.call().name);
  stream.set(context.name(kPath), path);
  return context.make(std::move(stream));
}

// Whether a file that is opened to be written begins empty, as far as its modes say so.
bool is_truncated(CallContext& context) {
  constexpr int64_t kAppends = std::ios::app | std::ios::ate | std::ios::in;
  const Value modes = context.read(1);
  return context.call().name == "std::basic_ofstream" &&
         (context.count() < 2 || (modes.is(ValueKind::kInt) && (modes.number & kAppends) == 0));
}

Value opened_file(CallContext& context) {
  const Value path = context.read(0);
  const Value stream = made_stream(context, is_path(path) ? path : Value::unknown());
  const bool is_read = context.call().name == "std::basic_ifstream";
  if (is_read)
    begin_text_of_file(context, stream.object, text_slot(path, context.activation.names()));
  else
    begin_text(context, stream.object,
               is_truncated(context) ? Value::string(context.name("")) : Value::unknown());
  if (context.call().name == "std::basic_ofstream") keep_in_file(context, stream.object, path);
  return stream;
}

Value text_in_memory(CallContext& context) {
  return Value::symbol(
      context.name("the text of stream " + context.activation.number_of(context.instruction)));
}

// Bytes that a value was pickled to are a list that leads to a copy of it.
Value pickled(CallContext& context) {
  Object bytes = open_list(Value::unknown());
  bytes.set(context.name(kPickled),
            context.activation.copy(context.state, context.read(0), &context.instruction));
  return context.make(std::move(bytes), 820);
}

const Value* pickled_in(CallContext& context, ObjectId bytes) {
  return context.state.has(bytes) ? context.state.object(bytes).find(context.name(kPickled))
                                  : nullptr;
}

Value unpickled(CallContext& context) {
  const Value* value = pickled_in(context, context.state.object_id_of(context.arguments[0]));
  if (!value) return Value::unknown();
  const Value original = *value;
  return context.activation.copy(context.state, original, &context.instruction);
}

// The file holds what was pickled to the bytes that are written.
void write_bytes(CallContext& context) {
  const Value& data = context.arguments[1];
  const Name file = file_slot(path_of(context, context.arguments[0]), context.activation.names());
  if (file == 0 || stream_object(context, context.arguments[0]) == kNoObject) return;
  const bool is_pickled =
      data.is(ValueKind::kAddress) && pickled_in(context, data.object) != nullptr;
  context.state.set_global(file, is_pickled ? Value::object_ref(data.object) : Value::unknown());
}

// Whether a checkpoint was saved in a stream, whose text it is.
bool holds_checkpoint(CallContext& context) {
  const ObjectId stream = stream_object(context, context.arguments[0]);
  return stream != kNoObject && context.state.object(stream).find(context.name(kIsWritten));
}

}  // namespace

ObjectId stream_object(CallContext& context, const Value& value) {
  const ObjectId id = context.state.object_id_of(value);
  const bool is_stream = id != kNoObject && context.state.object(id).kind == ObjectKind::kLibrary &&
                         context.state.object(id).find(context.name(kPath));
  return is_stream ? id : kNoObject;
}

Value path_of(CallContext& context, const Value& file) {
  const ObjectId stream = stream_object(context, file);
  return stream == kNoObject ? context.state.read(file)
                             : *context.state.object(stream).find(context.name(kPath));
}

bool write_once(CallContext& context, const Value& file) {
  const ObjectId stream = stream_object(context, file);
  if (stream == kNoObject) return true;
  const Name is_written = context.name(kIsWritten);
  if (context.state.object(stream).find(is_written)) return false;
  context.state.edit(stream).set(is_written, Value::boolean(true));
  return true;
}

std::optional<Value> bytes_of_file(CallContext& context, const Value& stream) {
  if (stream_object(context, stream) == kNoObject) return std::nullopt;
  const Value* saved =
      saved_under(path_of(context, stream), context.state, context.activation.names());
  if (!saved || !pickled_in(context, saved->object)) return std::nullopt;
  return *saved;
}

bool stream_effect(CallContext& context, Effect effect, Value& result) {
  const Value first = context.read(0);
  switch (effect) {
    case Effect::kOpenFile:
      result = opened_file(context);
      return true;
    case Effect::kMakeTextStream:
      result = made_stream(context, is_path(first) ? first : text_in_memory(context));
      begin_text(context, result.object, is_path(first) ? first : Value::string(context.name("")));
      return true;
    case Effect::kPickleLoad:
      if (context.count() == 0) return false;
      result = unpickled(context);
      return true;
    case Effect::kPickleSave:
      if (context.count() == 0) return false;
      result = pickled(context);
      return true;
    case Effect::kWriteBytes:
      if (context.count() < 2) return false;
      write_bytes(context);
      lose_text(context);
      result = context.arguments[0];
      return true;
    case Effect::kTextOfStream:
      if (context.count() == 1 && holds_checkpoint(context)) {
        result = path_of(context, context.arguments[0]);
        return true;
      }
      break;
    default:
      break;
  }
  return text_stream_effect(context, effect, result);
}

}  // namespace placecheck::dataflow
