// Checkpoints: what was saved where, and what loading does.
#include <utility>

#include "analyzer/dataflow/effects.h"
#include "analyzer/dataflow/optimizers.h"
#include "analyzer/dataflow/saved_state.h"

namespace placecheck::dataflow {
namespace {

using models::Effect;

constexpr std::string_view kProgram = "torch::jit::Module";
constexpr std::string_view kTensor = "tensor";  // of a file that holds but one

// A class that writes or reads itself: what it makes of its state is its own affair.
bool has_own_archive_form(CallContext& context, ObjectId module, std::string_view method,
                          int depth = 0) {
  constexpr int kMaxDepth = 12;
  const Object& object = context.state.object(module);
  ProgramIndex& program = context.activation.program();
  if (object.type && program.takes_library_type(*object.type, method, "torch::serialize::"))
    return true;
  if (depth == kMaxDepth) return false;
  for (const Registered& entry : object.registered) {
    ObjectId child =
        entry.kind == RegisteredKind::kModule ? context.state.object_id_of(entry.value) : kNoObject;
    if (child != kNoObject && has_own_archive_form(context, child, method, depth + 1)) return true;
  }
  return false;
}

void notify_saved(CallContext& context, const Value& path, const Place& place) {
  SaveEvent event;
  event.site = context.activation.site(context.instruction.range);
  if (Name slot = file_slot(path, context.activation.names()))
    event.file = context.activation.names().text(slot);
  event.is_literal = path.is(ValueKind::kString);
  event.place = place;
  context.activation.notify(event, context.state);
}

// The record of a tensor, or of several at one place.
Value saved_tensors(CallContext& context) {
  std::vector<Operand> tensors;
  add_operands(context, 0, tensors);
  if (tensors.empty()) return Value::unknown();
  Place place = tensors[0].place;
  for (const Operand& tensor : tensors) {
    if (!(tensor.place == place)) place = Place::unknown();
  }
  Object saved = saved_state_at(context, place);
  if (tensors.size() == 1) saved.set(context.name(kTensor), Value::tensor(place, tensors[0].rank));
  return context.make(std::move(saved), 801);
}

Value optimizer_record(CallContext& context, ObjectId optimizer) {
  const std::optional<Place> place = place_of_state(context, optimizer);
  return place ? context.make(saved_state_at(context, *place), 801) : Value::unknown();
}

Value saved_record(CallContext& context) {
  const ObjectId id = context.state.object_id_of(context.arguments[0]);
  if (id != kNoObject && context.state.object(id).is_module()) return module_record(context, id);
  if (id != kNoObject && has_updated(context, id)) return optimizer_record(context, id);
  return saved_tensors(context);
}

Value save(CallContext& context) {
  ObjectId module = context.state.object_id_of(context.arguments[0]);
  bool is_module = module != kNoObject && context.state.object(module).is_module();
  if (is_module) {
    context.activation.notify(ModuleEvent{context.activation.site(context.instruction.range),
                                          ModuleAction::kSaved, module, "save"},
                              context.state);
  }
  write_file(context, context.arguments[1], saved_record(context));
  return Value::none();
}

void check_keys(CallContext& context, ObjectId module, const Object& saved) {
  std::optional<std::vector<std::string>> expected = keys_of_module(context, module);
  if (!expected || saved.find(context.name(kKeysAsked)) || context.call().caught) return;
  LoadStateEvent event = load_event(context, module, keys_in(context, saved), std::move(*expected));
  event.saved_at = saved.origin;
  event.reader = KeyReader::kArchiveTree;
  context.activation.notify(event, context.state);
}

// Where a module had been moved, all of it.
Place moved_place(CallContext& context, ObjectId module) {
  const Object& object = context.state.object(module);
  if (!object.complete) return object.moved ? object.moved_to : Place::unknown();
  std::vector<std::pair<std::string, Value>> tensors;
  if (!registered_tensors(context.state, context.activation.names(), module, "", tensors) ||
      tensors.empty()) {
    return Place::unknown();
  }
  Place place = context.state.place_of(tensors[0].second);
  for (const auto& [name, value] : tensors) {
    const Value decider = context.state.decider_of(value);
    bool was_moved = context.activation.origin_of(decider.origin).kind == OriginKind::kMoved;
    if (!was_moved || !(decider.place == place)) return Place::unknown();
  }
  return place;
}

Value load(CallContext& context) {
  FileSource source = file_source(context, 1);
  ObjectId module = context.state.object_id_of(context.arguments[0]);
  if (module != kNoObject && context.state.object(module).is_module()) {
    load_module(context, module, source);
    return Value::none();
  }
  Value device = placed_by(context, source, Place::unknown());
  if (module != kNoObject && has_updated(context, module)) {
    load_state(context, module, device);
    return Value::none();
  }
  const Object* record = context.state.object_of(source.record);
  const Value* saved = record ? record->find(context.name(kTensor)) : nullptr;
  Value tensor = Value::tensor(device.place, saved ? saved->rank : Rank::kUnknown);
  tensor.origin = device.origin;
  context.activation.assign(context.state, context.arguments[0], tensor);
  return Value::none();
}

Value load_program(CallContext& context) {
  Value device = placed_by(context, file_source(context, 0), Place::unknown());
  Value tensor = Value::tensor(device.place, Rank::kNonScalar);
  tensor.origin = device.origin;
  Object cell;
  cell.kind = ObjectKind::kCell;
  cell.elements.push_back(tensor);
  Object module;
  module.kind = ObjectKind::kModule;
  module.type_name = context.name(kProgram);
  module.origin = tensor.origin;
  Value handle =
      Value::tensor(Place::cell(context.make(std::move(cell), 1).object), Rank::kNonScalar);
  module.registered.push_back({context.name(kModuleState), RegisteredKind::kParameter, handle, {}});
  return context.make(std::move(module));
}

void save_program(CallContext& context) {
  ObjectId module = context.state.object_id_of(context.arguments[0]);
  if (module == kNoObject) return;
  write_file(context, context.arguments[1], module_record(context, module));
}

}  // namespace

namespace {

void keep_record(CallContext& context, const Value& path, const Value& saved) {
  Names& names = context.activation.names();
  const Name slot = file_slot(path, names);
  if (slot == 0) return;
  context.state.set_global(slot, saved);
  if (is_lasting_path(path, names)) {
    context.activation.engine().note_saved_file(
        names.text(slot), portable(context.state, names, saved),
        context.activation.site(context.instruction.range), context.state.is_exact());
  }
}

// What was saved under the first path is under the second as well.
void copy_file(CallContext& context) {
  const Value* saved = saved_under(path_of(context, context.arguments[0]), context.state,
                                   context.activation.names());
  keep_record(context, path_of(context, context.arguments[1]), saved ? *saved : Value::unknown());
}

}  // namespace

void write_file(CallContext& context, const Value& file, const Value& record_of_all) {
  const Value path = path_of(context, file);
  const Value saved = write_once(context, file) ? record_of_all : Value::unknown();
  const Object* record = context.state.object_of(saved);
  std::optional<Place> place = record ? place_in(context, *record) : std::nullopt;
  notify_saved(context, path, place.value_or(Place::unknown()));
  if (!write_buffer(context, file, saved)) keep_record(context, path, saved);
}

Value module_record(CallContext& context, ObjectId module) {
  std::vector<std::pair<std::string, Value>> tensors;
  if (has_own_archive_form(context, module, "save") ||
      !registered_tensors(context.state, context.activation.names(), module, "", tensors))
    return Value::unknown();
  Place place = tensors.empty() ? Place::unknown() : context.state.place_of(tensors[0].second);
  for (const auto& [name, value] : tensors) {
    if (!(context.state.place_of(value) == place)) place = Place::unknown();
  }
  Object saved = saved_state_at(context, place);
  for (const auto& [name, value] : tensors) saved.keys.push_back(Value::string(context.name(name)));
  return context.make(std::move(saved), 800);
}

FileSource file_source(CallContext& context, size_t file) {
  FileSource source;
  Value path = file < context.count() ? path_of(context, context.arguments[file]) : Value::none();
  source.slot = file_slot(path, context.activation.names());
  source.is_literal = path.is(ValueKind::kString);
  const Value* saved = saved_under(path, context.state, context.activation.names());
  source.record = saved ? *saved : Value::unknown();
  if (file < context.count())
    source.record = read_buffer(context, context.arguments[file]).value_or(source.record);
  if (source.slot != 0 && !saved && is_lasting_path(path, context.activation.names()))
    context.activation.engine().note_sought_file(context.activation.names().text(source.slot));
  for (size_t i = file + 1; i < context.count(); ++i) {
    Value device = context.read(i);
    if (device.is(ValueKind::kString)) note_device_text(context, device);
    source.asked = named_place(context, device);
    if (source.asked) use_device(context, *source.asked, device.origin);
    source.may_be_asked = !device.is(ValueKind::kNone);
    if (source.asked) break;
  }
  return source;
}

Value placed_by(CallContext& context, const FileSource& source, const Place& displaced) {
  Origin origin;
  origin.kind = OriginKind::kLoaded;
  origin.site = context.activation.site(context.instruction.range);
  Value device = Value::device(source.asked.value_or(Place::unknown()));
  if (!source.asked && !source.may_be_asked) {
    origin.by_file = true;
    origin.displaced = displaced;
    origin.file = source.slot;
    origin.is_literal = source.is_literal;
    const Object* record = context.state.object_of(source.record);
    std::optional<Place> held = record ? place_in(context, *record) : std::nullopt;
    if (record) origin.saved_at = record->origin;
    if (held) {
      device.place = *held;
      load_onto_saved_device(context, *held, origin.saved_at);
    } else {
      // Not known, but the same for all that is loaded from there.
      Names& names = context.activation.names();
      std::string where = "where " +
                          (source.slot ? names.text(source.slot)
                                       : context.activation.number_of(context.instruction)) +
                          " was saved";
      if (displaced.is_accelerator()) where += ", not " + to_text(displaced, names);
      device.place = Place::alike(context.name(where));
    }
  }
  device.origin = context.activation.add_origin(origin);
  return device;
}

void load_module(CallContext& context, ObjectId module, const FileSource& source) {
  Value device = placed_by(context, source, moved_place(context, module));
  if (const Object* record = context.state.object_of(source.record);
      record && !record->keys.empty() && !has_own_archive_form(context, module, "load")) {
    check_keys(context, module, *record);
  }
  context.activation.notify(ModuleEvent{context.activation.site(context.instruction.range),
                                        ModuleAction::kLoaded, module, "load"},
                            context.state);
  move_module(context.state, module, device.place, device.origin);
}

bool file_effect(CallContext& context, Effect effect, Value& result) {
  switch (effect) {
    case Effect::kSave:
      if (context.count() < 2) return false;
      result = save(context);
      return true;
    case Effect::kLoad:
      if (context.count() < 1) return false;
      result = load(context);
      return true;
    case Effect::kLoadProgram:
      if (context.count() < 1) return false;
      result = load_program(context);
      return true;
    case Effect::kSaveProgram:
      if (context.count() < 2) return false;
      save_program(context);
      break;
    case Effect::kCopyFile:
      if (context.count() < 2) return false;
      copy_file(context);
      break;
    default:
      return false;
  }
  result = Value::none();
  return true;
}

}  // namespace placecheck::dataflow
