// Archives: what a file holds, between the file and the module. An archive holds tensors by name,
// and other archives, whose names go before those of what is in them.
#include <algorithm>

#include "analyzer/dataflow/effects.h"
#include "analyzer/dataflow/key_tables.h"
#include "analyzer/dataflow/saved_state.h"

namespace placecheck::dataflow {
namespace {

using models::Effect;

constexpr std::string_view kRecord = kArchiveRecord;
constexpr std::string_view kFile = "file";
constexpr std::string_view kIsLiteral = "is literal";
constexpr std::string_view kDevice = "device";
const std::string kTensorNamed = "tensor ";
const std::string kEntryNamed = "entry ";      // whatever was written by that name
const std::string kUnknownNamed = "unknown ";  // what else is in that archive; "" is the whole

ObjectId archive_of(CallContext& context, size_t i) {
  ObjectId id = i < context.count() ? context.state.object_id_of(context.arguments[i]) : kNoObject;
  bool is_archive = id != kNoObject && context.state.object(id).kind == ObjectKind::kLibrary &&
                    !stands_for_key(context.state.object(id), context.activation.names());
  return is_archive ? id : kNoObject;
}

const Value* field_of(CallContext& context, ObjectId archive, std::string_view field) {
  return archive == kNoObject ? nullptr : context.state.object(archive).find(context.name(field));
}

// What is known to be in the archive; null where that is not known, or nothing yet.
const Object* record_of(CallContext& context, ObjectId archive) {
  const Value* record = field_of(context, archive, kRecord);
  return record ? context.state.object_of(*record) : nullptr;
}

void set_record(CallContext& context, ObjectId archive, const Value& record) {
  context.state.edit(archive).set(context.name(kRecord), record);
}

// Puts keys into an archive, whose tensors are at `place`; they may be there already.
void add_keys(CallContext& context, ObjectId archive, const std::vector<std::string>& keys,
              Place place) {
  const Value* before = field_of(context, archive, kRecord);
  const Object* known = record_of(context, archive);
  if (before && !known) return;
  const bool has_others = known && !known->keys.empty();
  if (has_others && !(place_in(context, *known) == place)) place = Place::unknown();
  Object record = saved_state_at(context, place);
  if (known) {
    record.keys = known->keys;
    for (const auto& [field, value] : known->fields) {
      if (!record.find(field)) record.set(field, value);
    }
  }
  for (const std::string& key : keys) {
    Value name = Value::string(context.name(key));
    bool is_there = std::any_of(record.keys.begin(), record.keys.end(),
                                [&](const Value& each) { return same(each, name); });
    if (!is_there) record.keys.push_back(name);
  }
  set_record(context, archive, context.make(std::move(record), 804));
}

// A tensor beside a module's: its key is no part of the module's names.
void add_tensor(CallContext& context, ObjectId archive, const std::string& name,
                const Value& tensor) {
  const Value* before = field_of(context, archive, kRecord);
  const Object* known = record_of(context, archive);
  if (before && !known) return;
  Object record = known ? *known : saved_state_at(context, Place::unknown());
  Value saved = Value::tensor(context.state.place_of(tensor), tensor.rank);
  saved.origin = record.origin;
  record.set(context.name(kTensorNamed + name), saved);
  set_record(context, archive, context.make(std::move(record), 806));
}

// A fact about what is in the archive.
void mark_entry(CallContext& context, ObjectId archive, const std::string& mark) {
  const Value* before = field_of(context, archive, kRecord);
  const Object* known = record_of(context, archive);
  if (before && !known) return;
  Object record = known ? *known : saved_state_at(context, Place::unknown());
  record.set(context.name(mark), Value::boolean(true));
  set_record(context, archive, context.make(std::move(record), 807));
}

// The marks of an archive, with their names; the names of its own are relative to it.
std::vector<std::pair<const std::string*, std::string>> marks_of(CallContext& context,
                                                                 const Object& record) {
  std::vector<std::pair<const std::string*, std::string>> marks;
  for (const auto& [field, value] : record.fields) {
    const std::string& text = context.activation.names().text(field);
    for (const std::string* mark : {&kEntryNamed, &kUnknownNamed})
      if (text.starts_with(*mark)) marks.emplace_back(mark, text.substr(mark->size()));
  }
  return marks;
}

// Of the marks in a record those of the archive in it that has that name.
void keep_marks_of(CallContext& context, const std::string& name, Object& record) {
  const auto drop = [&](Name field) {
    std::erase_if(record.fields, [&](const auto& each) { return each.first == field; });
  };
  drop(context.name(kKeysAsked));
  for (const auto& [mark, marked] : marks_of(context, record)) {
    drop(context.name(*mark + marked));
    if (marked == name && mark == &kUnknownNamed)
      record.set(context.name(kUnknownNamed), Value::boolean(true));
    if (marked.starts_with(name + "."))
      record.set(context.name(*mark + marked.substr(name.size() + 1)), Value::boolean(true));
  }
}

// What Module::save writes: an entry for each tensor, and an archive for each module in it.
void mark_module(CallContext& context, ObjectId module, const std::string& path, Object& record) {
  const auto mark = [&](const std::string& text) {
    record.set(context.name(text), Value::boolean(true));
  };
  const Object& object = context.state.object(module);
  if (!has_known_names(context, object)) return mark(kUnknownNamed + path);
  for (const Registered& entry : object.registered) {
    const std::string name =
        (path.empty() ? "" : path + ".") + context.activation.names().text(entry.name);
    mark(kEntryNamed + name);
    if (entry.kind != RegisteredKind::kModule) continue;
    const ObjectId child = context.state.object_id_of(entry.value);
    if (child == kNoObject || !entry.either.empty())
      mark(kUnknownNamed + name);
    else
      mark_module(context, child, name, record);
  }
}

// Another archive is put into this one, by `name`.
void add_inner(CallContext& context, ObjectId archive, const std::string& name, ObjectId inner) {
  if (!field_of(context, inner, kRecord)) return;  // empty
  const Object* record = record_of(context, inner);
  if (!record) return mark_entry(context, archive, kUnknownNamed + name);
  Place place = place_in(context, *record).value_or(Place::unknown());
  std::vector<std::string> keys = keys_in(context, *record);
  for (std::string& key : keys) key.insert(0, name + ".");
  const auto marks = marks_of(context, *record);
  add_keys(context, archive, keys, place);
  for (const auto& [mark, marked] : marks)
    mark_entry(context, archive, *mark + name + (marked.empty() ? "" : "." + marked));
}

// Whether a name leads, by its dots, into an archive within this one: read() takes no paths.
bool is_path(CallContext& context, const Object& record, const std::string& name) {
  const size_t dot = name.find('.');
  if (dot == std::string::npos) return false;
  const std::string inner = name.substr(0, dot);
  const auto is_within = [&](const auto& mark) { return mark.second.starts_with(inner + "."); };
  return record.find(context.name(kEntryNamed + inner)) &&
         !record.find(context.name(kUnknownNamed + inner)) &&
         std::ranges::any_of(marks_of(context, record), is_within);
}

// An entry is asked for by a name that is spelled out, and was not written.
void check_entry(CallContext& context, ObjectId archive, KeyReader reader) {
  const Object* record = record_of(context, archive);
  const std::optional<std::string> name = context.text(context.read(1));
  if (!record || !name || record->find(context.name(kUnknownNamed))) return;
  std::vector<std::string> there;
  for (const auto& [mark, marked] : marks_of(context, *record))
    if (mark == &kEntryNamed && marked.find('.') == std::string::npos) there.push_back(marked);
  const auto leads_to = [&](const std::string& key) {
    return key == *name || key.starts_with(*name + ".");
  };
  const bool is_there = record->find(context.name(kEntryNamed + *name)) ||
                        std::ranges::any_of(keys_in(context, *record), leads_to);
  if (there.empty() || (is_there && !is_path(context, *record, *name))) return;
  MissingKeyEvent event;
  event.site = context.activation.site(context.instruction.range);
  event.key = *name;
  event.there = std::move(there);
  event.saved_at = record->origin;
  event.reader = reader;
  context.activation.notify(event, context.state);
}

// (archive, key, what)
void write(CallContext& context) {
  ObjectId archive = archive_of(context, 0);
  if (archive == kNoObject) return;
  std::optional<std::string> name = context.text(context.read(1));
  if (name) mark_entry(context, archive, kEntryNamed + *name);
  ObjectId inner = archive_of(context, 2);
  if (std::optional<std::vector<std::string>> keys = keys_meant(context, 1))
    return add_keys(context, archive, *keys, context.state.place_of(context.arguments[2]));
  if (!name) return set_record(context, archive, Value::unknown());
  const Value written = context.read(2);
  if (inner != kNoObject) return add_inner(context, archive, *name, inner);
  // A number beside a module's, such as the epoch, is not looked at.
  if (written.is_tensor()) add_tensor(context, archive, *name, written);
}

void copy_field(CallContext& context, ObjectId from, ObjectId to, std::string_view field) {
  const Value* value = field_of(context, from, field);
  if (!value) return;
  Value held = *value;
  context.state.edit(to).set(context.name(field), held);
}

// The part of an archive that has a name becomes an archive. Returns whether it is there.
Value read_inner(CallContext& context, ObjectId archive, ObjectId inner) {
  std::optional<std::string> name = context.text(context.read(1));
  const Object* whole = record_of(context, archive);
  for (std::string_view field : {kFile, kIsLiteral, kDevice})
    copy_field(context, archive, inner, field);
  set_record(context, inner, Value::unknown());
  const bool is_named = whole && name && whole->find(context.name(kEntryNamed + *name));
  if (!whole || !name || whole->find(context.name(kUnknownNamed + *name)))
    return is_named ? Value::boolean(true)
                    : context.activation.fresh_symbol(context.instruction, context.state);
  Object part = *whole;
  part.keys.clear();
  keep_marks_of(context, *name, part);
  for (const std::string& key : keys_in(context, *whole)) {
    if (key.starts_with(*name + "."))
      part.keys.push_back(Value::string(context.name(key.substr(name->size() + 1))));
  }
  const bool has_keys = !part.keys.empty();
  if (has_keys) set_record(context, inner, context.make(std::move(part), 805));
  return Value::boolean(has_keys || is_named);
}

// A tensor is asked for by the name that a module has for it.
void look_up(CallContext& context, const Object& record, bool strict) {
  std::optional<std::vector<std::string>> keys = keys_meant(context, 1);
  if (!keys || record.keys.empty() || record.find(context.name(kKeysAsked))) return;
  ObjectId module =
      key_set_of(context.state, context.arguments[1], context.activation.names())->module;
  LoadStateEvent event = load_event(context, module, keys_in(context, record), std::move(*keys));
  event.strict = strict;
  event.saved_at = record.origin;
  event.reader = KeyReader::kArchive;
  context.activation.notify(event, context.state);
}

// What an archive was filled from; nothing where that is not known.
std::optional<FileSource> source_of(CallContext& context, ObjectId archive) {
  const Value* device = field_of(context, archive, kDevice);
  if (!device) return std::nullopt;
  FileSource source;
  source.may_be_asked = !device->is(ValueKind::kNone);
  if (device->is(ValueKind::kDevice)) source.asked = device->place;
  source.slot = field_of(context, archive, kFile)->name;
  source.is_literal = field_of(context, archive, kIsLiteral)->number != 0;
  source.record = *field_of(context, archive, kRecord);
  return source;
}

Value read_tensor(CallContext& context, ObjectId archive) {
  std::optional<FileSource> source = source_of(context, archive);
  if (!source) return Value::unknown();
  Value device = placed_by(context, *source, Place::unknown());
  Value tensor = Value::tensor(device.place);
  tensor.origin = device.origin;
  const std::optional<std::string> name = context.text(context.read(1));
  const Object* record = record_of(context, archive);
  const Value* saved = record && name ? record->find(context.name(kTensorNamed + *name)) : nullptr;
  if (!saved) return tensor;
  tensor.rank = saved->rank;
  if (!source->asked && !source->may_be_asked) tensor.place = saved->place;
  return tensor;
}

// (archive, key, what)
Value read(CallContext& context) {
  bool tries = context.call().name.ends_with("::try_read");
  ObjectId archive = archive_of(context, 0);
  ObjectId inner = archive_of(context, 2);
  if (inner != kNoObject) {
    if (!tries) check_entry(context, archive, KeyReader::kArchiveTree);
    Value is_there = read_inner(context, archive, inner);
    return tries ? is_there : Value::none();
  }
  if (!tries) check_entry(context, archive, KeyReader::kArchive);
  if (const Object* record = record_of(context, archive)) look_up(context, *record, !tries);
  if (context.arguments[2].is(ValueKind::kAddress))
    context.activation.assign(context.state, context.arguments[2], read_tensor(context, archive));
  return tries ? context.activation.fresh_symbol(context.instruction, context.state)
               : Value::none();
}

// The archive keeps what it was filled with; what was asked for is asked of its readers.
void fill(CallContext& context) {
  ObjectId archive = archive_of(context, 0);
  if (archive == kNoObject) return;
  FileSource source = file_source(context, 1);
  Object& object = context.state.edit(archive);
  object.set(context.name(kRecord), source.record);
  object.set(context.name(kFile), Value::string(source.slot));
  object.set(context.name(kIsLiteral), Value::boolean(source.is_literal));
  bool is_open = !source.asked && source.may_be_asked;
  object.set(context.name(kDevice), source.asked ? Value::device(*source.asked)
                                    : is_open    ? Value::unknown()
                                                 : Value::none());
}

void load(CallContext& context) {
  ObjectId module = context.state.object_id_of(context.arguments[0]);
  ObjectId archive = archive_of(context, 1);
  if (module == kNoObject || !context.state.object(module).is_module()) return;
  FileSource unknown;
  unknown.may_be_asked = true;
  load_module(context, module, source_of(context, archive).value_or(unknown));
}

void save(CallContext& context) {
  ObjectId module = context.state.object_id_of(context.arguments[0]);
  ObjectId archive = archive_of(context, 1);
  if (module == kNoObject || archive == kNoObject) return;
  Value saved = module_record(context, module);
  const Object* record = context.state.object_of(saved);
  if (!record) return set_record(context, archive, Value::unknown());
  Place place = place_in(context, *record).value_or(Place::unknown());
  add_keys(context, archive, keys_in(context, *record), place);
  Object marked = *record_of(context, archive);
  mark_module(context, module, "", marked);
  set_record(context, archive, context.make(std::move(marked), 808));
}

void write_to_file(CallContext& context) {
  const Value* record = field_of(context, archive_of(context, 0), kRecord);
  Value held = record ? *record : Value::unknown();
  write_file(context, context.arguments[1], held);
}

}  // namespace

bool archive_effect(CallContext& context, Effect effect, Value& result) {
  result = Value::none();
  size_t needed = effect == Effect::kArchiveRead || effect == Effect::kArchiveWrite ? 3
                  : effect == Effect::kArchiveKeys                                  ? 1
                                                                                    : 2;
  if (context.count() < needed) return false;
  switch (effect) {
    case Effect::kArchiveKeys:
      // The program looks for itself what is there.
      if (record_of(context, archive_of(context, 0))) {
        mark_entry(context, archive_of(context, 0), kUnknownNamed);
        mark_entry(context, archive_of(context, 0), std::string(kKeysAsked));
      }
      result = Value::unknown();
      return true;
    case Effect::kArchiveLoadFrom:
      fill(context);
      return true;
    case Effect::kArchiveSaveState:
      if (archive_of(context, 1) != kNoObject)
        mark_entry(context, archive_of(context, 1), kUnknownNamed);
      return true;
    case Effect::kArchiveSaveTo:
      write_to_file(context);
      return true;
    case Effect::kArchiveRead:
      result = read(context);
      return true;
    case Effect::kArchiveWrite:
      write(context);
      return true;
    case Effect::kLoadArchive:
      load(context);
      return true;
    case Effect::kSaveArchive:
      save(context);
      return true;
    default:
      return false;
  }
}

}  // namespace placecheck::dataflow
