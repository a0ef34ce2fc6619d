#include "analyzer/dataflow/entry.h"

#include <algorithm>
#include <set>

#include "analyzer/dataflow/conditions.h"
#include "analyzer/dataflow/identity.h"
#include "analyzer/dataflow/ranks.h"
#include "analyzer/dataflow/scalars.h"
#include "llvm/ADT/Hashing.h"

namespace placecheck::dataflow {
namespace {

bool is_placed(const Value& value) {
  return value.is_tensor() || value.is(ValueKind::kDevice) || value.is(ValueKind::kOptions);
}

// Copies reachable objects breadth first, renaming ids in the order of discovery.
class Extraction {
 public:
  Extraction(const State& caller, Entry& entry, const Names& names)
      : caller_(caller), entry_(entry), names_(names) {}

  Value import(const Value& value, int argument) {
    argument_ = argument;
    Value copy = rename(value);
    drain();
    return copy;
  }

  // The value leads to an object that was imported already.
  bool shares_objects(const Value& value) const {
    const auto leads_to_imported = [&](ObjectId id) {
      const std::set<ObjectId> reached = reachable_from(caller_, id);
      return std::ranges::any_of(reached, [&](ObjectId each) {
        return each < new_ids_.size() && new_ids_[each] != kNoObject;
      });
    };
    if (value.refers_to_object() && leads_to_imported(value.object)) return true;
    return value.place.kind == PlaceKind::kCell && leads_to_imported(value.place.symbol);
  }

 private:
  ObjectId rename_object(ObjectId id) {
    if (id >= new_ids_.size())
      new_ids_.resize(std::max<size_t>(id + 1, caller_.object_count()), kNoObject);
    if (new_ids_[id] == kNoObject) {
      new_ids_[id] = static_cast<ObjectId>(entry_.caller_ids.size());
      entry_.caller_ids.push_back(id);
    }
    return new_ids_[id];
  }

  Value rename(const Value& value) {
    Value copy = value;
    if (value.refers_to_object())
      copy.object = caller_.has(value.object) ? rename_object(value.object) : kNoObject;
    if (value.place.kind == PlaceKind::kCell) {
      if (caller_.has(value.place.symbol)) {
        copy.place.symbol = rename_object(value.place.symbol);
      } else {
        copy.place = Place::unknown();
      }
    }
    // Conditions are kept without negations, and so a negated one is seen by what it negates.
    if (value.has_identity()) entry_.symbols.push_back(strip_negations(value.name, names_).name);
    if (value.place.kind == PlaceKind::kAlike) entry_.symbols.push_back(value.place.symbol);
    if (is_placed(value)) {
      copy.input = static_cast<int32_t>(entry_.inputs.size());
      entry_.inputs.push_back(value);
      entry_.argument_of_input.push_back(argument_);
    }
    return copy;
  }

  void drain() {
    for (; next_ < entry_.caller_ids.size(); ++next_) {
      Object copy = caller_.object(entry_.caller_ids[next_]);
      if (copy.symbol != 0) entry_.symbols.push_back(copy.symbol);
      for (const auto& [condition, holds] : copy.made_where) entry_.symbols.push_back(condition);
      for_each_value(copy, [&](Value& value) { value = rename(value); });
      entry_.state.put(static_cast<ObjectId>(next_), std::move(copy));
    }
  }

  const State& caller_;
  Entry& entry_;
  const Names& names_;
  std::vector<ObjectId> new_ids_;
  size_t next_ = 0;
  int argument_ = -1;
};

}  // namespace

namespace {

void sort_and_unique(std::vector<Name>& symbols) {
  std::ranges::sort(symbols);
  symbols.erase(std::ranges::unique(symbols).begin(), symbols.end());
}

bool is_visible(const Entry& entry, Name name) {
  return std::binary_search(entry.symbols.begin(), entry.symbols.end(), name);
}

// The number of devices, what the process was given, and what was current when an exported function
// was called.
bool is_the_same_everywhere(std::string_view text) {
  return text == kDeviceCount || text == kCallersDevice || is_of_process(text);
}

bool mentions_visible(const Entry& entry, Name condition, const Names& names) {
  if (is_visible(entry, condition)) return true;
  const std::vector<Name>& operands = names.operands(condition);
  if (operands.empty()) return is_the_same_everywhere(names.text(condition));
  return std::any_of(operands.begin(), operands.end(),
                     [&](Name each) { return mentions_visible(entry, each, names); });
}

// A symbol, a literal, or an operation on such: `lt(0,count)`, `add('cuda:',text(count))`.
bool speaks_of_given(const Entry& entry, Name name, const Names& names) {
  const std::string& text = names.text(name);
  if (is_literal(text) || is_the_same_everywhere(text) || is_visible(entry, name)) return true;
  const std::vector<Name>& operands = names.operands(name);
  return !operands.empty() && std::all_of(operands.begin(), operands.end(), [&](Name each) {
    return speaks_of_given(entry, each, names);
  });
}

}  // namespace

Entry make_entry(const State& caller, const std::vector<Value>& arguments, const Names& names,
                 const std::function<bool(Name)>& may_use_global, bool sees_aliases) {
  Entry entry;
  Extraction extraction(caller, entry, names);
  for (size_t i = 0; i < arguments.size(); ++i) {
    Value argument = extraction.import(arguments[i], static_cast<int>(i));
    argument.bound = false;
    entry.arguments.push_back(argument);
  }
  for (const auto& [name, value] : caller.globals) {
    if (may_use_global(name) || (sees_aliases && extraction.shares_objects(value)))
      entry.state.globals.emplace_back(name, extraction.import(value, -1));
  }
  sort_and_unique(entry.symbols);
  for (const auto& assumption : caller.assumptions) {
    // Which ranks come to a call decides with whom its collectives are.
    if (mentions_visible(entry, assumption.first, names) ||
        tells_ranks_apart(assumption.first, names))
      entry.state.assumptions.push_back(assumption);
  }
  std::sort(entry.state.assumptions.begin(), entry.state.assumptions.end());
  for (const Implication& each : caller.implications) {
    if (mentions_visible(entry, each.condition, names) && mentions_visible(entry, each.then, names))
      entry.state.implications.push_back(each);
  }
  for (Name condition : caller.forgotten) {
    if (mentions_visible(entry, condition, names)) entry.state.forgotten.push_back(condition);
  }
  entry.state.is_of_doubtful_caller = !caller.is_exact();
  entry.state.thread = caller.thread;
  entry.state.setup = caller.setup;
  return entry;
}

bool is_of_caller(const Entry& entry, Name symbol, const Names& names) {
  return speaks_of_given(entry, symbol, names);
}

namespace {

// Of the symbols in a name, those that an instruction or a join has made.
void add_made(Name name, const Names& names, std::vector<Name>& made) {
  const std::vector<Name>& operands = names.operands(name);
  for (const Name each : operands) add_made(each, names, made);
  if (operands.empty() && is_made(name, names)) made.push_back(name);
}

// A second call of a function makes symbols of the same names. Where one of the two calls has
// decided something about such a symbol, what the caller holds of the first call gets other names.
void renew_made(State& caller, const State& exit, const std::vector<Name>& made, Names& names) {
  if (made.empty()) return;
  std::vector<Name> decided;
  for (const auto& [condition, holds] : caller.assumptions) names.collect(condition, decided);
  for (const auto& [condition, holds] : exit.assumptions) names.collect(condition, decided);
  std::ranges::sort(decided);
  for (const Name symbol : made) {
    if (!std::ranges::binary_search(decided, symbol)) continue;
    caller.age(symbol, names);
    caller.forget(symbol, names);
  }
}

}  // namespace

std::vector<Name> made_symbols(const Entry& entry, const State& exit, const Value& value,
                               const Names& names) {
  std::vector<Name> made;
  const auto add = [&](const Value& each) {
    if (each.has_identity()) add_made(each.name, names, made);
  };
  add(value);
  for (const auto& [name, global] : exit.globals) add(global);
  for (ObjectId id = 0; id < exit.object_count(); ++id) {
    const bool is_untouched =
        id < entry.state.object_count() && exit.share(id) == entry.state.share(id);
    if (exit.has(id) && !is_untouched) for_each_value(exit.object(id), add);
  }
  if (made.empty()) return made;
  sort_and_unique(made);
  std::vector<Name> given;
  for (const Name each : entry.symbols) add_made(each, names, given);
  sort_and_unique(given);
  std::erase_if(made, [&](Name each) { return std::ranges::binary_search(given, each); });
  return made;
}

void drop_private_decisions(const Entry& entry, State& exit, const Value& value,
                            const std::vector<Name>& made, const Names& names) {
  const Name answer = value.has_identity() ? strip_negations(value.name, names).name : 0;
  std::erase_if(exit.assumptions, [&](const auto& decided) {
    return !mentions_visible(entry, decided.first, names) &&
           !is_same_device(decided.first, names) && !names.mentions_any(decided.first, made) &&
           (answer == 0 || !names.mentions(decided.first, answer));
  });
}

bool same(const Entry& a, const Entry& b) {
  return std::equal(a.arguments.begin(), a.arguments.end(), b.arguments.begin(), b.arguments.end(),
                    [](const Value& x, const Value& y) { return same(x, y); }) &&
         a.state.assumptions == b.state.assumptions &&
         a.state.implications == b.state.implications && a.state.forgotten == b.state.forgotten &&
         a.state.is_of_doubtful_caller == b.state.is_of_doubtful_caller && same(a.state, b.state);
}

uint64_t hash(const Entry& entry) {
  const DeviceSetup& setup = entry.state.setup;
  uint64_t code = llvm::hash_combine(entry.state.object_count(), static_cast<int>(setup.start),
                                     static_cast<int>(setup.list), setup.visible);
  for (const auto& [condition, holds] : entry.state.assumptions) {
    code = llvm::hash_combine(code, condition, holds);
  }
  for (const Value& value : entry.arguments) code = llvm::hash_combine(code, hash(value));
  for (const auto& [name, value] : entry.state.globals)
    code = llvm::hash_combine(code, name, hash(value));
  for (ObjectId id = 0; id < entry.state.object_count(); ++id) {
    const Object& object = entry.state.object(id);
    code = llvm::hash_combine(code, static_cast<int>(object.kind), object.type, object.moved);
    for_each_value(object,
                   [&](const Value& value) { code = llvm::hash_combine(code, hash(value)); });
  }
  return code;
}

namespace {

// The way back: ids below the entry's count are the caller's own, the others are new.
class Return {
 public:
  Return(State& caller, const Entry& entry, const State& exit,
         const std::function<ObjectId(uint32_t)>& allocate)
      : caller_(caller),
        entry_(entry),
        exit_(exit),
        allocate_(allocate),
        ids_(exit.object_count(), kNoObject) {}

  Value run(const Value& value) {
    for (ObjectId id = 0; id < entry_.caller_ids.size(); ++id) {
      ids_[id] = entry_.caller_ids[id];
      work_.push_back(id);
    }
    Value result = rename(value);
    for (const auto& [name, global] : exit_.globals) caller_.set_global(name, rename(global));
    while (!work_.empty()) {
      ObjectId id = work_.back();
      work_.pop_back();
      copy_back(id);
    }
    return result;
  }

 private:
  void copy_back(ObjectId id) {
    if (!exit_.has(id)) return;
    bool untouched = id < entry_.caller_ids.size() && exit_.share(id) == entry_.state.share(id);
    if (untouched) return;
    Object copy = exit_.object(id);
    for_each_value(copy, [&](Value& value) { value = rename(value); });
    caller_.put(ids_[id], std::move(copy));
  }

  ObjectId rename_object(ObjectId id) {
    if (id >= ids_.size() || !exit_.has(id)) return kNoObject;
    if (ids_[id] == kNoObject) {
      // Its own number there, so that what was made at one place is one object on all ways out.
      ids_[id] = allocate_(id - static_cast<ObjectId>(entry_.caller_ids.size()));
      work_.push_back(id);
    }
    return ids_[id];
  }

  Value rename(const Value& value) {
    Value copy = value;
    if (value.refers_to_object()) {
      copy.object = rename_object(value.object);
      if (copy.object == kNoObject) return Value::unknown();
    }
    if (value.place.kind == PlaceKind::kCell) {
      ObjectId cell = rename_object(value.place.symbol);
      copy.place = cell == kNoObject ? Place::unknown() : Place::cell(cell);
    }
    if (value.input >= 0) {
      const Value& source = entry_.inputs[value.input];
      copy.input = source.input;
      copy.origin = value.origin ? value.origin : source.origin;
    }
    return copy;
  }

  State& caller_;
  const Entry& entry_;
  const State& exit_;
  const std::function<ObjectId(uint32_t)>& allocate_;
  std::vector<ObjectId> ids_;
  std::vector<ObjectId> work_;
};

}  // namespace

Value apply_exit(State& caller, const Entry& entry, const State& exit, const Value& value,
                 const std::vector<Name>& made, Names& names,
                 const std::function<ObjectId(uint32_t)>& allocate) {
  renew_made(caller, exit, made, names);
  Value result = Return(caller, entry, exit, allocate).run(value);
  caller.thread = exit.thread;
  caller.setup = exit.setup;
  // What the callee decided of what both see; the rest of the caller's is untouched.
  std::erase_if(caller.assumptions, [&](const auto& assumption) {
    return std::binary_search(entry.state.assumptions.begin(), entry.state.assumptions.end(),
                              assumption);
  });
  for (const auto& [condition, holds] : exit.assumptions) {
    bool is_seen = mentions_visible(entry, condition, names) || is_same_device(condition, names) ||
                   names.mentions_any(condition, made);
    if (is_seen) caller.assume(condition, holds);
  }
  for (const Implication& each : exit.implications) {
    if (mentions_visible(entry, each.condition, names) && mentions_visible(entry, each.then, names))
      add_implication(caller, each);
  }
  for (Name condition : exit.forgotten) {
    if (mentions_visible(entry, condition, names)) caller.lose(condition);
  }
  // What the callee alone has decided means something else in another call.
  Doubts doubts = exit.doubts;
  doubts.forget_if([&](Name condition) { return !mentions_visible(entry, condition, names); });
  caller.doubts.conjoin(doubts);
  return result;
}

}  // namespace placecheck::dataflow
