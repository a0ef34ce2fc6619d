#include "analyzer/dataflow/saved_files.h"

#include <algorithm>
#include <optional>

#include "analyzer/dataflow/dynamic.h"
#include "analyzer/dataflow/identity.h"
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

bool has_slot(const Value& path) {
  return path.is(ValueKind::kString) || path.is(ValueKind::kSymbol);
}

// The beginning of the slot of a path that is a symbol.
constexpr std::string_view kSymbolSlot = "@file of ";
constexpr std::string_view kTextSlot = "<text of> ";

std::string slot_text(const Value& path, const Names& names) {
  return std::string(path.is(ValueKind::kString) ? kFileSlot : kSymbolSlot) + names.text(path.name);
}

// Two programs that spell a path alike mean the same file by it.
bool may_share(size_t writer, size_t reader, llvm::StringRef slot,
               std::span<const ir::Program> programs) {
  if (writer == reader) return true;
  if (slot.starts_with(kSymbolSlot)) return false;
  return llvm::sys::path::is_absolute(slot.substr(llvm::StringRef(kFileSlot).size())) ||
         llvm::sys::path::parent_path(programs[writer].name) ==
             llvm::sys::path::parent_path(programs[reader].name);
}

// `args.resume`: what a program is to go on with was saved by the same program.
bool names_own_file(std::string_view slot) {
  return slot.starts_with(kSymbolSlot) && slot.find("resume") != std::string_view::npos;
}

// The only thing that a program saves, wherever.
std::optional<SavedFile> only_saved(const FileTraffic& traffic) {
  if (traffic.saved.empty() || !traffic.unclear.empty()) return std::nullopt;
  SavedFile only = traffic.saved.begin()->second;
  for (const auto& [slot, file] : traffic.saved) {
    std::optional<SavedValue> common = common_part(only.record, file.record);
    if (!common) return std::nullopt;
    only.record = std::move(*common);
  }
  return only;
}

bool is_plain(const SavedValue& value) {
  return value.kind != ValueKind::kObject && value.kind != ValueKind::kTensor &&
         value.kind != ValueKind::kDevice;
}

// Those of two lists, one by one.
std::optional<std::vector<SavedValue>> common_parts(const std::vector<SavedValue>& a,
                                                    const std::vector<SavedValue>& b) {
  if (a.size() != b.size()) return std::nullopt;
  std::vector<SavedValue> common;
  for (size_t i = 0; i < a.size(); ++i) {
    std::optional<SavedValue> each = common_part(a[i], b[i]);
    if (!each) return std::nullopt;
    common.push_back(std::move(*each));
  }
  return common;
}

}  // namespace

Name file_slot(const Value& path, Names& names) {
  return has_slot(path) ? names.intern(slot_text(path, names)) : 0;
}

Name text_slot(const Value& path, Names& names) {
  return has_slot(path) ? names.intern(std::string(kTextSlot) + slot_text(path, names)) : 0;
}

bool is_of_file(std::string_view global) {
  return global.starts_with(kFileSlot) || global.starts_with(kSymbolSlot) ||
         global.starts_with(kTextSlot);
}

const Value* saved_under(const Value& path, const State& state, const Names& names) {
  const Name slot = has_slot(path) ? names.find(slot_text(path, names)) : 0;
  return slot ? state.find_global(slot) : nullptr;
}

bool is_lasting_path(const Value& path, const Names& names) {
  return path.is(ValueKind::kString) ||
         (path.is(ValueKind::kSymbol) && is_lasting(path.name, names));
}

std::vector<FoundFile> files_for(size_t reader, std::span<const ir::Program> programs,
                                 const std::vector<const FileTraffic*>& traffic) {
  std::vector<FoundFile> found;
  if (!traffic[reader]) return found;
  for (const std::string& slot : traffic[reader]->sought) {
    std::optional<FoundFile> file;
    bool is_clear = true;
    for (size_t i = 0; i < programs.size(); ++i) {
      // A C++ program may have written the file by a call that is not understood.
      if (i == reader && !is_dynamic(programs[i])) continue;
      if (!traffic[i] || !may_share(i, reader, slot, programs)) continue;
      const auto saved = traffic[i]->saved.find(slot);
      std::optional<SavedFile> each;
      if (saved != traffic[i]->saved.end())
        each = saved->second;
      else if (i == reader && names_own_file(slot))
        each = only_saved(*traffic[i]);
      if (!each) continue;
      is_clear =
          is_clear && !traffic[i]->unclear.count(slot) && (!file || file->record == each->record);
      if (!file) file = FoundFile{slot, each->record, programs[i].units[each->unit], each->range};
    }
    if (file && is_clear) found.push_back(std::move(*file));
  }
  return found;
}

std::optional<SavedValue> common_part(const SavedValue& a, const SavedValue& b) {
  if (a == b) return a;
  if (is_plain(a) && is_plain(b)) return SavedValue();
  if (a.kind != b.kind || a.kind != ValueKind::kObject || a.object != b.object ||
      a.is_map != b.is_map || a.type_name != b.type_name || a.keys != b.keys ||
      a.fields.size() != b.fields.size())
    return std::nullopt;
  std::optional<std::vector<SavedValue>> elements = common_parts(a.elements, b.elements);
  if (!elements) return std::nullopt;
  SavedValue common = a;
  common.elements = std::move(*elements);
  for (size_t i = 0; i < a.fields.size(); ++i) {
    std::optional<SavedValue> field = common_part(a.fields[i].second, b.fields[i].second);
    if (!field || a.fields[i].first != b.fields[i].first) return std::nullopt;
    common.fields[i].second = std::move(*field);
  }
  return common;
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
