// Files that one program saves and another loads, as values that belong to no analysis.
//
// Ownership: plain values. Threads: any. Errors: what cannot be taken along is unknown.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/dataflow/state.h"
#include "analyzer/ir/link.h"

namespace placecheck::dataflow {

// The name of the global that stands for what a file holds begins so, and ends with the path.
inline constexpr char kFileSlot[] = "@file ";
// The name of that global for a path that is a text, or the symbol of one; 0 for other values. It
// holds a list of keys, and the place.
Name file_slot(const Value& path, Names& names);
// That of the global that leads to the stream by which text was written there.
Name text_slot(const Value& path, Names& names);
// Whether a global is one of these.
bool is_of_file(std::string_view global);
// Whether another run of the program, or another program, may mean the same file by the path: it is
// a text, or what the program was given.
bool is_lasting_path(const Value& path, const Names& names);
// What the program has saved under a path; null where nothing.
const Value* saved_under(const Value& path, const State& state, const Names& names);

// What a file holds. Of places only fixed ones are kept, of objects only tables, lists and records
// of a file.
struct SavedValue {
  ValueKind kind = ValueKind::kUnknown;
  Rank rank = Rank::kUnknown;
  Place place;
  int64_t number = 0;
  std::string text;
  ObjectKind object = ObjectKind::kContainer;
  bool is_map = false;
  std::string type_name;
  std::vector<std::pair<std::string, SavedValue>> fields;
  std::vector<SavedValue> keys;
  std::vector<SavedValue> elements;

  bool operator==(const SavedValue&) const = default;
};

struct SavedFile {
  SavedValue record;
  size_t unit = 0;       // of the program that saves it, by its number
  ir::Range range;       // of the call that saves it, there
  bool is_exact = true;  // some run comes to that call in the state that was recorded
};

// By the names of their slots.
struct FileTraffic {
  std::map<std::string, SavedFile> saved;
  std::set<std::string> unclear;  // saved with different contents
  std::set<std::string> sought;   // loaded before the program has saved them itself
};

// A file that a program has saved: another one, or in Python the same one when it ran before.
struct FoundFile {
  std::string slot;
  SavedValue record;
  const ir::Unit* unit = nullptr;
  ir::Range range;
};

// What the programs leave in the files that one of them loads; nothing of a file that is saved with
// different contents. Programs of one folder mean the same file by a relative path.
// `traffic`: of each program, null where that is not known.
std::vector<FoundFile> files_for(size_t reader, std::span<const ir::Program> programs,
                                 const std::vector<const FileTraffic*>& traffic);

// What two values have in common that differ in numbers and texts at most; nothing of others.
std::optional<SavedValue> common_part(const SavedValue& a, const SavedValue& b);

SavedValue portable(const State& state, const Names& names, const Value& value);
// With new objects of `state`, all of which come from `saved_at`.
Value restored(State& state, Names& names, const SavedValue& saved, OriginId saved_at);

}  // namespace placecheck::dataflow
