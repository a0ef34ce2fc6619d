#include "analyzer/dataflow/saved_files.h"

#include <optional>

#include "analyzer/dataflow/dynamic.h"
#include "llvm/Support/Path.h"

namespace placecheck::dataflow {
namespace {

constexpr int kDeepest = 8;
constexpr size_t kMostParts = 10'000;

bool is_fixed(const Place& place) {
  return place.is_cpu() || (place.kind == PlaceKind::kCuda && place.symbol == 0);
}

class Packing {
 public:
  Packing(const State& state, const Names& names) : state_(state), names_(names) {}

  SavedValue pack(const Value& value, int depth) {
    const Value direct = state_.read(value);
    SavedValue packed;
    if (depth > kDeepest || ++parts_ > kMostParts) return packed;
    if (direct.is_tensor() || direct.is(ValueKind::kDevice)) {
      packed.kind = direct.kind;
      packed.rank = direct.rank;
      const Place place = state_.place_of(direct);
      if (is_fixed(place)) packed.place = place;
    } else if (direct.is(ValueKind::kString)) {
      packed.kind = direct.kind;
      packed.text = names_.text(direct.name);
    } else if (direct.is(ValueKind::kBool) || direct.is(ValueKind::kInt) ||
               direct.is(ValueKind::kNone)) {
      packed.kind = direct.kind;
      packed.number = direct.number;
    } else if (const Object* object = state_.object_of(direct)) {
      pack_object(*object, depth, packed);
    }
    return packed;
  }

 private:
  void pack_object(const Object& object, int depth, SavedValue& packed) {
    const bool is_kept = object.kind == ObjectKind::kContainer ||
                         object.kind == ObjectKind::kTuple || object.kind == ObjectKind::kLibrary;
    if (!is_kept || object.open || object.type) return;
    packed.kind = ValueKind::kObject;
    packed.object = object.kind;
    packed.is_map = object.is_map;
    packed.type_name = names_.text(object.type_name);
    for (const auto& [name, value] : object.fields)
      packed.fields.emplace_back(names_.text(name), pack(value, depth + 1));
    for (const Value& key : object.keys) packed.keys.push_back(pack(key, depth + 1));
    for (const Value& element : object.elements)
      packed.elements.push_back(pack(element, depth + 1));
  }

  const State& state_;
  const Names& names_;
  size_t parts_ = 0;
};

// Two programs that spell a path alike mean the same file by it.
bool share_paths(const ir::Program& a, const ir::Program& b, llvm::StringRef path) {
  return llvm::sys::path::is_absolute(path) ||
         llvm::sys::path::parent_path(a.name) == llvm::sys::path::parent_path(b.name);
}

bool has_slot(const Value& path) {
  return path.is(ValueKind::kString) || path.is(ValueKind::kSymbol);
}

std::string slot_text(const Value& path, const Names& names) {
  return (path.is(ValueKind::kString) ? kFileSlot : "@file of ") + names.text(path.name);
}

}  // namespace

Name file_slot(const Value& path, Names& names) {
  return has_slot(path) ? names.intern(slot_text(path, names)) : 0;
}

const Value* saved_under(const Value& path, const State& state, const Names& names) {
  const Name slot = has_slot(path) ? names.find(slot_text(path, names)) : 0;
  return slot ? state.find_global(slot) : nullptr;
}

std::vector<FoundFile> files_for(size_t reader, std::span<const ir::Program> programs,
                                 const std::vector<const FileTraffic*>& traffic) {
  std::vector<FoundFile> found;
  if (!traffic[reader]) return found;
  for (const std::string& path : traffic[reader]->sought) {
    std::optional<FoundFile> file;
    bool is_clear = true;
    for (size_t i = 0; i < programs.size(); ++i) {
      // A C++ program may have written the file by a call that is not understood.
      if (i == reader && !is_dynamic(programs[i])) continue;
      if (!traffic[i] || !share_paths(programs[i], programs[reader], path)) continue;
      const auto saved = traffic[i]->saved.find(path);
      if (saved == traffic[i]->saved.end()) continue;
      const SavedFile& each = saved->second;
      is_clear =
          is_clear && !traffic[i]->unclear.count(path) && (!file || file->record == each.record);
      if (!file) file = FoundFile{path, each.record, programs[i].units[each.unit], each.range};
    }
    if (file && is_clear) found.push_back(std::move(*file));
  }
  return found;
}

SavedValue portable(const State& state, const Names& names, const Value& value) {
  return Packing(state, names).pack(value, 0);
}

Value restored(State& state, Names& names, const SavedValue& saved, OriginId saved_at) {
  Value value = Value::of(saved.kind);
  value.origin = saved_at;
  switch (saved.kind) {
    case ValueKind::kTensor:
    case ValueKind::kDevice:
      value.rank = saved.rank;
      value.place = saved.place;
      value.has_place = true;
      return value;
    case ValueKind::kString:
      value.name = names.intern(saved.text);
      return value;
    case ValueKind::kObject:
      break;
    default:
      value.number = saved.number;
      return value;
  }
  Object object;
  object.kind = saved.object;
  object.is_map = saved.is_map;
  object.type_name = names.intern(saved.type_name);
  object.origin = saved_at;
  for (const auto& [name, field] : saved.fields)
    object.set(names.intern(name), restored(state, names, field, saved_at));
  for (const SavedValue& key : saved.keys)
    object.keys.push_back(restored(state, names, key, saved_at));
  for (const SavedValue& element : saved.elements)
    object.elements.push_back(restored(state, names, element, saved_at));
  const ObjectId id = state.object_count();
  state.put(id, std::move(object));
  return Value::object_ref(id);
}

}  // namespace placecheck::dataflow
