// Text that a program writes to streams and reads from them: device names that are put together
// with `<<`, lists that are taken apart with std::getline() and `>>`, and files with the names of a
// module's tensors, one in each line.
#include <algorithm>

#include "analyzer/dataflow/effects.h"
#include "analyzer/dataflow/key_tables.h"
#include "analyzer/dataflow/saved_files.h"
#include "analyzer/dataflow/scalars.h"
#include "llvm/ADT/StringExtras.h"

namespace placecheck::dataflow {
namespace {

using models::Effect;

// Fields of a stream beside its text, which is what is still to be read: the name that stands for
// those in the lines before that; whether an operation has failed, or has come to the end of the
// text; whether manipulators change how numbers look.
constexpr std::string_view kNamesInLines = "<names in lines>";
constexpr std::string_view kHasFailed = "<has failed>";
constexpr std::string_view kIsAtEnd = "<is at end>";
constexpr std::string_view kIsFormatted = "<is formatted>";

// Longer texts, and terms with longer names, are not followed.
constexpr size_t kLongest = 256;

constexpr std::string_view kSpace = " \t\n\v\f\r";

class TextStream {
 public:
  TextStream(CallContext& context, ObjectId id) : context_(context), id_(id) {}

  const Value* find(std::string_view field) const {
    return context_.state.object(id_).find(context_.name(field));
  }
  void set(std::string_view field, const Value& value) {
    context_.state.edit(id_).set(context_.name(field), value);
  }
  void erase(std::string_view field) { context_.state.edit(id_).erase(context_.name(field)); }

  bool is_set(std::string_view field) const {
    const Value* value = find(field);
    return value && same(*value, Value::boolean(true));
  }

  // What is left to read, where it is known to the letter.
  std::optional<std::string> known_text() const {
    const Value* text = find(kTextOfStream);
    return text && !find(kNamesInLines) ? context_.text(*text) : std::nullopt;
  }

  void lose_text() {
    erase(kNamesInLines);
    set(kTextOfStream, context_.activation.fresh_symbol(context_.instruction, context_.state));
  }

  // Without the characters that were read.
  void go_on(std::string_view rest, bool is_at_end) {
    set(kTextOfStream, Value::string(context_.name(rest)));
    set(kHasFailed, Value::boolean(false));
    set(kIsAtEnd, Value::boolean(is_at_end));
    const Value* reads = find(kReadsOfText);
    set(kReadsOfText, Value::integer(reads && reads->is(ValueKind::kInt) ? reads->number + 1 : 1));
    context_.activation.note_text_read();
  }

  void fail() {
    set(kHasFailed, Value::boolean(true));
    set(kIsAtEnd, Value::boolean(true));
  }

  // It depends on a text that is not known whether there is more to read.
  void lose_outcome() {
    erase(kHasFailed);
    erase(kIsAtEnd);
  }

 private:
  CallContext& context_;
  ObjectId id_;
};

std::optional<TextStream> text_stream(CallContext& context) {
  if (context.count() == 0) return std::nullopt;
  const ObjectId id = stream_object(context, context.arguments[0]);
  if (id == kNoObject || !context.state.object(id).find(context.name(kTextOfStream)))
    return std::nullopt;
  return TextStream(context, id);
}

Value unknown_text(CallContext& context) {
  return context.activation.fresh_symbol(context.instruction, context.state, "text");
}

// The overloads for characters and texts are functions, those for numbers are methods.
bool is_of_number(const CallContext& context) {
  return context.call().kind == ir::CallKind::kMethod;
}

// `std::setw(2)`: changes how numbers look that are written later, and writes nothing itself.
bool is_manipulator(CallContext& context) {
  constexpr std::string_view kManipulators[] = {"std::resetiosflags", "std::setbase",
                                                "std::setfill",       "std::setiosflags",
                                                "std::setprecision",  "std::setw"};
  const ir::Instruction* made =
      context.activation.find_definition(context.call().arguments[1].value);
  return made && made->opcode == ir::Opcode::kCall &&
         std::ranges::find(kManipulators, made->call.name) != std::end(kManipulators);
}

// What a value looks like in a stream; unknown for a manipulator other than std::endl.
Value written_form(CallContext& context, bool is_formatted) {
  Names& names = context.activation.names();
  const Value value = context.read(1);
  if (const Object* object = context.state.object_of(context.arguments[1])) {
    if (stands_for_key(*object, names)) return value;
    if (object->kind != ObjectKind::kClosure || object->function) return unknown_text(context);
    const bool ends_line = names.text(object->type_name) == "std::endl";
    return ends_line ? Value::string(context.name("\n")) : Value::unknown();
  }
  if (is_manipulator(context)) return Value::unknown();
  if (value.is(ValueKind::kDevice)) {
    const std::string text = to_text(value.place, names);
    return parse_device(text).is_known() ? Value::string(context.name(text))
                                         : unknown_text(context);
  }
  if (!is_of_number(context)) {
    if (value.is(ValueKind::kInt))
      return Value::string(context.name(std::string(1, static_cast<char>(value.number))));
    if (value.is(ValueKind::kString) || value.is(ValueKind::kSymbol)) return value;
    return unknown_text(context);
  }
  if (is_formatted || value.is(ValueKind::kUnknown)) return unknown_text(context);
  if (value.is(ValueKind::kInt)) return Value::string(context.name(std::to_string(value.number)));
  if (value.is(ValueKind::kSymbol)) return Value::symbol(names.term("text", {value.name}));
  return unknown_text(context);
}

// Nothing where the sum is too long to be followed.
std::optional<Value> joined_text(CallContext& context, const Value& text, const Value& piece) {
  Activation& activation = context.activation;
  if (const std::optional<Value> key = prefixed_key(context, text, piece)) return key;
  const bool is_text_of_key = context.state.object_of(text) || context.state.object_of(piece);
  if (is_text_of_key) return std::nullopt;
  std::optional<Value> sum =
      evaluate("op.add", text, piece, activation.names(), activation.assumed_devices());
  const bool is_text = sum && (sum->has_identity() || sum->is(ValueKind::kString));
  const bool is_followed = is_text && activation.names().text(sum->name).size() <= kLongest;
  return is_followed ? sum : std::nullopt;
}

// A line that is one of a module's names ends; false where other lines are there, too.
bool end_line_of_name(CallContext& context, TextStream& stream, const Value& line) {
  Names& names = context.activation.names();
  const std::optional<KeySet> keys = key_set_of(context.state, line, names);
  const Value* others = stream.find(kNamesInLines);
  if (!keys || (others && key_set_of(context.state, *others, names) != keys)) return false;
  stream.set(kNamesInLines, line);
  stream.set(kTextOfStream, Value::string(context.name("")));
  return true;
}

void write_text(CallContext& context, TextStream& stream) {
  const bool is_plain = same(*stream.find(kIsFormatted), Value::boolean(false));
  const Value piece = written_form(context, !is_plain);
  if (piece.is(ValueKind::kUnknown)) return stream.set(kIsFormatted, Value::boolean(true));
  const Value text = *stream.find(kTextOfStream);
  const bool ends_line = context.text(piece) == "\n";
  if (ends_line && end_line_of_name(context, stream, text)) return;
  if (context.text(piece) == "") return;
  const std::optional<Value> sum = joined_text(context, text, piece);
  const bool is_name = sum && context.state.object_of(*sum);
  if (!sum || (stream.find(kNamesInLines) && !is_name)) return stream.lose_text();
  stream.set(kTextOfStream, *sum);
}

void read_into(CallContext& context, const Value& value) {
  if (context.count() > 1 && context.arguments[1].is(ValueKind::kAddress))
    context.activation.assign(context.state, context.arguments[1], value);
}

void read_unknown(CallContext& context, TextStream& stream) {
  const Value* name = stream.find(kNamesInLines);
  const std::optional<KeySet> keys =
      name ? key_set_of(context.state, *name, context.activation.names()) : std::nullopt;
  read_into(context,
            keys && !is_of_number(context) ? key_of(context, *keys, 822) : unknown_text(context));
  stream.lose_outcome();
}

void read_line(CallContext& context, TextStream& stream) {
  const std::optional<std::string> text = stream.known_text();
  const Value delimiter = context.count() > 2 ? context.read(2) : Value::integer('\n');
  if (!text || !delimiter.is(ValueKind::kInt)) return read_unknown(context, stream);
  if (text->empty()) return stream.fail();
  const size_t end = text->find(static_cast<char>(delimiter.number));
  read_into(context, Value::string(context.name(text->substr(0, end))));
  stream.go_on(end == std::string::npos ? "" : text->substr(end + 1), end == std::string::npos);
}

// How many of the characters are a number; none where they are more than a whole one.
size_t length_of_number(std::string_view text) {
  const size_t sign = text.starts_with('-') || text.starts_with('+') ? 1 : 0;
  size_t end = sign;
  while (end < text.size() && llvm::isDigit(text[end])) ++end;
  const bool is_fraction = end < text.size() && (text[end] == '.' || text[end] == 'e');
  return end == sign || end > 9 || is_fraction ? 0 : end;
}

void read_text(CallContext& context, TextStream& stream) {
  const std::optional<std::string> text = stream.known_text();
  if (!text) return read_unknown(context, stream);
  const size_t start = std::min(text->find_first_not_of(kSpace), text->size());
  const std::string_view rest = std::string_view(*text).substr(start);
  if (rest.empty()) return stream.fail();
  size_t length = std::min(rest.find_first_of(kSpace), rest.size());
  if (is_of_number(context)) {
    length = length_of_number(rest);
    if (length == 0) {
      stream.lose_text();
      return read_unknown(context, stream);
    }
    int64_t number = 0;
    llvm::StringRef(rest.substr(0, length)).ltrim('+').getAsInteger(10, number);
    read_into(context, Value::integer(number));
  } else if (const Value before = context.read(1);
             before.is(ValueKind::kString) || before.is(ValueKind::kSymbol)) {
    read_into(context, Value::string(context.name(rest.substr(0, length))));
  } else {
    length = 1;
    read_into(context, Value::integer(rest[0]));
  }
  const bool is_character =
      length == 1 && context.read(1).is(ValueKind::kInt) && !is_of_number(context);
  stream.go_on(rest.substr(length), length == rest.size() && !is_character);
}

Value peek(CallContext& context, const TextStream& stream) {
  const std::optional<std::string> text = stream.known_text();
  if (!text) return context.activation.fresh_symbol(context.instruction, context.state);
  return Value::integer(text->empty() ? -1 : (*text)[0]);
}

void ignore_characters(CallContext& context, TextStream& stream) {
  const std::optional<std::string> text = stream.known_text();
  if (!text || context.count() > 1) {
    stream.lose_text();
    return stream.lose_outcome();
  }
  stream.go_on(text->empty() ? "" : text->substr(1), text->empty());
}

Value all_of_text(CallContext& context, TextStream& stream) {
  if (context.count() == 2) {
    const Value text = context.read(1);
    stream.erase(kNamesInLines);
    stream.set(kTextOfStream, text.is(ValueKind::kString) ? text : unknown_text(context));
    return Value::none();
  }
  // Of what was read, str() has all.
  if (stream.find(kReadsOfText) || stream.find(kNamesInLines)) return unknown_text(context);
  return *stream.find(kTextOfStream);
}

Value outcome(CallContext& context, const TextStream& stream, Effect effect) {
  const Value* failed = stream.find(kHasFailed);
  if (!failed) return context.activation.fresh_symbol(context.instruction, context.state);
  if (effect == Effect::kStreamIsGood && stream.is_set(kIsAtEnd)) return Value::boolean(false);
  return Value::boolean(stream.is_set(kHasFailed) == (effect == Effect::kStreamFailed));
}

}  // namespace

void keep_in_file(CallContext& context, ObjectId stream, const Value& path) {
  const Name slot = text_slot(path, context.activation.names());
  if (slot != 0) context.state.set_global(slot, Value::object_ref(stream));
}

void begin_text(CallContext& context, ObjectId stream, const Value& text) {
  TextStream made(context, stream);
  made.set(kTextOfStream, text.is(ValueKind::kString) ? text : unknown_text(context));
  made.set(kIsFormatted, Value::boolean(false));
  if (text.is(ValueKind::kString)) made.set(kHasFailed, Value::boolean(false));
}

void begin_text_of_file(CallContext& context, ObjectId stream, Name slot) {
  const Value* written = slot != 0 ? context.state.find_global(slot) : nullptr;
  const Object* source = written ? context.state.object_of(*written) : nullptr;
  if (!source) return begin_text(context, stream, Value::unknown());
  const Value* text = source->find(context.name(kTextOfStream));
  const Value* names = source->find(context.name(kNamesInLines));
  const Value line = names ? *names : Value::unknown();
  begin_text(context, stream, text ? *text : Value::unknown());
  if (names) TextStream(context, stream).set(kNamesInLines, line);
}

void lose_text(CallContext& context) {
  if (std::optional<TextStream> stream = text_stream(context)) stream->lose_text();
}

bool text_stream_effect(CallContext& context, Effect effect, Value& result) {
  std::optional<TextStream> stream = text_stream(context);
  if (!stream) return false;
  result = context.arguments[0];
  switch (effect) {
    case Effect::kWriteText:
      if (context.count() != 2) return false;
      write_text(context, *stream);
      return true;
    case Effect::kReadText:
      read_text(context, *stream);
      return true;
    case Effect::kReadLine:
      read_line(context, *stream);
      return true;
    case Effect::kPeekCharacter:
      result = peek(context, *stream);
      return true;
    case Effect::kIgnoreCharacters:
      ignore_characters(context, *stream);
      return true;
    case Effect::kTextOfStream:
      result = all_of_text(context, *stream);
      return true;
    case Effect::kStreamIsGood:
    case Effect::kStreamHolds:
    case Effect::kStreamFailed:
      result = outcome(context, *stream, effect);
      return true;
    default:
      return false;
  }
}

}  // namespace placecheck::dataflow
