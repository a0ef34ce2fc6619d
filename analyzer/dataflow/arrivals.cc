// How the states that arrive at a block, or at a function's end, meet those that arrived before.
#include <algorithm>

#include "analyzer/dataflow/activation.h"
#include "analyzer/dataflow/async_copies.h"
#include "analyzer/dataflow/conditions.h"
#include "analyzer/dataflow/dynamic.h"
#include "analyzer/dataflow/identity.h"
#include "analyzer/dataflow/scalars.h"
#include "analyzer/dataflow/text_terms.h"

namespace placecheck::dataflow {
namespace {

// States at a loop's head that may differ in what objects hold for other reasons than the loop.
constexpr size_t kTurnsBeforeWidening = 3;
// As many, where a field holds constants that no code of the program computes.
constexpr size_t kTurnsOfConstants = 12;

// A state that arrives is copied, compared and joined, object by object: so many of them cost as
// much as an instruction.
constexpr size_t kObjectsPerStep = 16;

using Assumptions = std::vector<std::pair<Name, bool>>;

// Those that may be asked about again: what they are about is still in some variable, or the
// caller's.
Assumptions live_assumptions(const State& state, const Entry& entry, const Names& names) {
  std::vector<Name> symbols = entry.symbols;
  auto collect = [&](const Value& value) {
    if (value.has_identity()) symbols.push_back(strip_negations(value.name, names).name);
  };
  std::ranges::for_each(entry.arguments, collect);
  std::ranges::for_each(state.slots.values(), collect);
  for (const auto& [name, value] : state.globals) collect(value);
  for (ObjectId id = 0; id < state.object_count(); ++id) {
    if (!state.has(id)) continue;
    if (Name symbol = state.object(id).symbol; symbol != 0) symbols.push_back(symbol);
    for_each_value(state.object(id), collect);
  }
  std::ranges::sort(symbols);
  Assumptions live;
  std::ranges::copy_if(state.assumptions, std::back_inserter(live), [&](const auto& assumption) {
    return names.mentions_any(assumption.first, symbols);
  });
  std::ranges::sort(live);
  return live;
}

// Whether a variable holds a device, or a text that names one.
bool holds_device(const Value& value, const Names& names) {
  if (value.is(ValueKind::kString)) return parse_device(names.text(value.name)).is_known();
  return value.is(ValueKind::kDevice) ||
         (value.is(ValueKind::kSymbol) && names_cuda_device(value, names));
}

// Whether the device variables agree. States that differ there are joined last: the joined device
// would be unknown, and so would all that is put there.
bool have_same_devices(const State& a, const State& b, const Names& names) {
  const auto agree = [&](const Value& x, const Value& y) {
    return same(x, y) || (!holds_device(x, names) && !holds_device(y, names));
  };
  for (size_t s = 0; s < a.slots.size() && s < b.slots.size(); ++s) {
    if (!agree(a.slots[s], b.slots[s])) return false;
  }
  return std::ranges::all_of(a.globals, [&](const auto& global) {
    const Value* other = b.find_global(global.first);
    return !other || agree(global.second, *other);
  });
}

// Finds states that texts, and conditions that nobody can ask for again, alone tell apart. What is
// compared of a state is computed once: neither a state nor its address may change meanwhile.
class TextComparison {
 public:
  TextComparison(const Entry& entry, const Names& names) : entry_(entry), names_(names) {}

  bool differ_in_texts(const State& a, const State& b) {
    return agree_on_places(a, b) && have_same_devices(a, b, names_) &&
           live_assumptions_of(a) == live_assumptions_of(b);
  }

 private:
  const Assumptions& live_assumptions_of(const State& state) {
    auto [known, is_new] = known_.try_emplace(&state);
    if (is_new) known->second = live_assumptions(state, entry_, names_);
    return known->second;
  }

  const Entry& entry_;
  const Names& names_;
  std::unordered_map<const State*, Assumptions> known_;
};

// `filled` has put something into a container that is empty in `other`, where it has decided what
// `other` has not: the elements are what they are because of that.
bool is_filled_under_conditions(const State& filled, const State& other) {
  bool has_decided = std::ranges::any_of(filled.assumptions, [&](const auto& each) {
    return other.assumed(each.first) != each.second;
  });
  if (!has_decided) return false;
  for (ObjectId id = 0; id < filled.object_count() && id < other.object_count(); ++id) {
    if (!filled.has(id) || !other.has(id) || filled.share(id) == other.share(id)) continue;
    const Object& object = filled.object(id);
    bool is_filled = !object.has_no_elements() && other.object(id).has_no_elements();
    if (object.kind == ObjectKind::kContainer && is_filled) return true;
  }
  return false;
}

// Whether each variable has the same place, and names the same object, in both states.
bool agree_on_variables(const State& a, const State& b) {
  const auto agree = [](const auto& x, const auto& y) {
    return x.first == y.first && agree_on_places(x.second, y.second);
  };
  for (size_t s = 0; s < a.slots.size() && s < b.slots.size(); ++s) {
    if (!agree_on_places(a.slots[s], b.slots[s])) return false;
  }
  return std::ranges::equal(a.globals, b.globals, agree);
}

// A table that is filled under a few names.
bool is_table_of_few_names(const Object& table) {
  constexpr size_t kFew = 6;
  const bool is_empty = !table.open && table.keys.empty() && table.elements.empty();
  return table.is_map && table.keys.size() <= kFew && (is_empty || has_text_keys(table));
}

// A list of modules, or of tuples: which of them is taken next does not matter. Where there are
// many states already, each with modules of its own, they would not converge.
bool may_forget_count(const State& state, const Object& list, size_t states) {
  constexpr size_t kFewStates = 3;
  return std::ranges::all_of(list.elements, [&](const Value& each) {
    const Object* object = state.object_of(each);
    return object &&
           (object->kind == ObjectKind::kTuple || (object->is_module() && states <= kFewStates));
  });
}

// Reading an element of an open list gives it an object of its own. While that object is unchanged,
// the element needs none: it is one of the rest.
void drop_copies_of_rest(const State& state, Object& list) {
  if (!list.open || !list.rest.is_object() || !state.has(list.rest.object) || !list.keys.empty())
    return;
  const Object& rest = state.object(list.rest.object);
  std::erase_if(list.elements, [&](const Value& each) {
    return each.is_object() && state.has(each.object) && same(state.object(each.object), rest);
  });
}

// Two of several that agree; nothing where no two do.
template <class Item, class Agree>
std::optional<std::pair<size_t, size_t>> find_pair(const std::vector<Item>& items, Agree agree) {
  for (size_t i = 0; i < items.size(); ++i) {
    for (size_t j = i + 1; j < items.size(); ++j) {
      if (agree(items[i], items[j])) return std::pair(i, j);
    }
  }
  return std::nullopt;
}

}  // namespace

Value Activation::merge_scalars(const Value& old, const Value& now, uint32_t block,
                                const std::string& where, State& state) {
  // What else this path knows may rest on that number.
  if (now.is(ValueKind::kSymbol) && !same(old, now)) {
    if (const std::optional<int64_t> constant = constant_of(state, now.name, names()))
      return Value::integer(*constant);
  }
  bool counts =
      now.is_scalar() && old.is_scalar() && !(now.is(ValueKind::kBool) && old.is(ValueKind::kBool));
  if (!counts || same(old, now)) return now;
  // A text is not counted: it is one of those that were joined.
  auto is_text = [&](const Value& value) {
    return value.is(ValueKind::kString) ||
           (value.is(ValueKind::kSymbol) && names().text(value.name).starts_with(kJoined));
  };
  const std::string place = std::to_string(block) + "." + where + ">";
  const Name symbol = is_text(old) || is_text(now)
                          ? joined_symbol(kJoined + place, old, now, names())
                          : name(kIterated + place);
  renew(symbol, state);
  return Value::symbol(symbol);
}

// At the head of a loop, numbers that change from turn to turn become symbols and lists that grow
// become open ones, so that the states converge.
void Activation::widen_scalars(uint32_t block, State& state, Turn& turn) {
  const State& before = seen_[block].back().state;
  const std::vector<bool>& stored = layout_.stored_in_loop.at(block);
  const bool is_first = !seen_[block].back().turn.may_leave;
  for (size_t s = 0; s < state.slots.size(); ++s) {
    if (!stored[s] || is_taken_in_turn(s, state.slots[s])) continue;
    const Value now = state.slots[s];
    if (has_passed_bound(block, s, state)) continue;
    if (is_first && is_set_by_iteration(block, s, before.slots[s], now)) continue;
    state.slots.set(s, merge_scalars(before.slots[s], now, block, std::to_string(s), state));
    count_up(block, s, now, state, turn);
  }
  for (ObjectId id = 0; id < state.object_count() && id < before.object_count(); ++id) {
    if (!state.has(id) || !before.has(id) || state.share(id) == before.share(id)) continue;
    const Object& old = before.object(id);
    if (same(old, state.object(id))) continue;
    std::string where = "o" + std::to_string(id) + ".";
    const Value length = state.object(id).length;
    Object& object = state.edit(id);
    bool settled = seen_[block].size() < kTurnsBeforeWidening;
    const auto has_as_many = [&](const Arrival& each) {
      return each.state.has(id) && each.state.object(id).elements.size() == object.elements.size();
    };
    const bool has_grown =
        object.kind == ObjectKind::kContainer && std::ranges::none_of(seen_[block], has_as_many);
    // A table with compound keys keeps them: what counts iterations is an unknown part of a key.
    const bool keeps_keys =
        (has_compound_keys(object) && has_compound_keys(old)) || is_table_of_few_names(object);
    const bool is_set = may_forget_count(state, object, seen_[block].size());
    if (!has_grown) object.length = length;
    if (has_grown) drop_copies_of_rest(state, object);
    if (has_grown && !keeps_keys && !(is_set && forget_count(object, names())))
      open_container(object);
    if (settled) continue;
    // What nobody counts is one of a few constants, and converges by itself.
    const bool may_keep_constants = seen_[block].size() < kTurnsOfConstants;
    for (auto& [field, value] : object.fields) {
      const std::string& spelled = names().text(field);
      if (may_keep_constants && spelled != kTextOfStream && !program().is_counted(spelled))
        continue;
      if (const Value* earlier = old.find(field)) {
        value = merge_scalars(*earlier, value, block, where + std::to_string(field), state);
      }
    }
    for (size_t e = 0; e < object.elements.size() && e < old.elements.size(); ++e) {
      object.elements[e] = merge_scalars(old.elements[e], object.elements[e], block,
                                         where + std::to_string(e), state);
    }
  }
}

// What a variable is as a condition on this path, if that is decided.
std::optional<bool> Activation::outcome(const State& state, const Value& value) {
  return truth_on_path(state, value, names());
}

bool Activation::agree_on_conditions(const State& a, const State& b) {
  for (size_t s = 0; s < a.slots.size(); ++s) {
    if (same(a.slots[s], b.slots[s])) continue;
    std::optional<bool> one = outcome(a, a.slots[s]);
    std::optional<bool> other = outcome(b, b.slots[s]);
    if (one && other && *one != *other) return false;
  }
  return true;
}

// A variable that both paths have decided alike stays decided.
State Activation::join_alike(const State& a, const State& b, uint32_t block) {
  State joined = join(a, b, names(), block, {.live = {names(), entry_.symbols}});
  for (size_t s = 0; s < a.slots.size(); ++s) {
    if (a.slots[s].is_opaque() && same(a.slots[s], b.slots[s])) continue;
    std::optional<bool> one = outcome(a, a.slots[s]);
    bool undecided = joined.slots[s].has_identity() && !outcome(joined, joined.slots[s]);
    if (!one || !undecided || outcome(b, b.slots[s]) != one) continue;
    Condition condition = strip_negations(joined.slots[s].name, names());
    joined.assume(condition.name, *one == condition.holds);
  }
  return joined;
}

void Activation::go_to(uint32_t block, Arrival arrival, uint32_t from) {
  State& state = arrival.state;
  Turn& turn = arrival.turn;
  bool again = layout_.loops.count({from, block}) != 0;
  if (turn.last.erase(block) != 0 && again) return;
  if (!layout_.in_condition[block]) turn.may_leave = again || !layout_.is_loop_head[block];
  for (size_t s = 0; s < state.slots.size(); ++s) {
    bool is_dead = !layout_.live_in[block][s];
    if (is_dead && !state.slots[s].is(ValueKind::kNone)) state.slots.set(s, Value::none());
  }
  state.collect_garbage(static_cast<ObjectId>(entry_.caller_ids.size()));
  if (again) drop_unread_copies(state, entry_.state, names());
  if (again) end_iteration(block, state, turn);
  engine_.steps_ += state.object_count() / kObjectsPerStep;
  std::vector<Arrival>& seen = seen_[block];
  const bool is_counted = counts_elements(block, state);
  const auto counter = layout_.range_counters.find(block);
  const bool is_at_known_element =
      counter != layout_.range_counters.end() && state.slots[counter->second].is(ValueKind::kInt);
  if (again && !seen.empty() && !is_counted && !is_new_turn(block, state)) {
    widen_scalars(block, state, turn);
    // The elements that were not taken yet are still to come.
    if (is_at_known_element) turn.may_leave = false;
  }
  for (Arrival& known : seen) {
    const bool may_be_alike =
        known.digest(Likeness::kButForNumbers) == arrival.digest(Likeness::kButForNumbers);
    if (!may_be_alike || !alike(known.state, state)) continue;
    if (!agree_on_conditions(known.state, state)) continue;
    if (are_different_turns(known.state, state) || has_ended_apart(block, known.state, state))
      continue;
    if (again && is_entry_apart(block, known, arrival)) continue;
    const bool is_filled = is_filled_under_conditions(state, known.state);
    if (is_filled_under_conditions(known.state, state) || (is_filled && !again)) continue;
    bool is_new = known.turn.admit(turn);
    if (is_filled) {
      // The path that skips the loop's body has no elements to report on.
      is_new = true;
      known.replace(std::move(state));
    } else if (same(known.state, state)) {
      is_new |= keep_common_assumptions(known.state, state, {names(), entry_.symbols});
    } else {
      State joined = join_alike(known.state, state, block);
      if (again) drop_unread_copies(joined, entry_.state, names());
      is_new |= !same(joined, known.state) || joined.assumptions != known.state.assumptions;
      known.replace(std::move(joined));
    }
    if (is_new) make_due(block, known);
    return;
  }
  // Two approximate states report nothing; joined, they are exact.
  for (Arrival& known : seen) {
    if (Doubts::are_complementary(known.state.doubts, state.doubts) &&
        agree_on_variables(known.state, state) && !are_different_turns(known.state, state))
      return take_in(block, known, arrival, /*are_unlike=*/true);
  }
  if (seen.size() < most_states(block, state) && !crowded_.count(block)) {
    keep(block, std::move(arrival));
  } else {
    crowd(block, std::move(arrival));
  }
}

void Activation::take_in(uint32_t block, Arrival& known, const Arrival& other, bool are_unlike) {
  bool is_new = known.turn.admit(other.turn);
  State joined = join(known.state, other.state, names(), block,
                      {.live = {names(), entry_.symbols}, .are_unlike = are_unlike});
  is_new |= !same(joined, known.state) || joined.assumptions != known.state.assumptions ||
            joined.doubts.is_exact() != known.state.doubts.is_exact();
  known.replace(std::move(joined));
  if (is_new) make_due(block, known);
}

// The texts that tell states apart are given up first.
void Activation::crowd(uint32_t block, Arrival arrival) {
  crowded_.insert(block);
  std::vector<Arrival>& seen = seen_[block];
  TextComparison comparison(entry_, names());
  auto agree = [&](const Arrival& a, const Arrival& b) {
    return a.digest(Likeness::kInPlaces) == b.digest(Likeness::kInPlaces) &&
           comparison.differ_in_texts(a.state, b.state);
  };
  for (Arrival& known : seen) {
    if (agree(known, arrival)) return take_in(block, known, arrival, /*are_unlike=*/false);
  }
  if (counts_elements(block, arrival.state)) {
    const auto is_of_this_turn = [&](const Arrival& known) {
      return !are_different_turns(known.state, arrival.state);
    };
    auto partner = std::ranges::find_if(seen, [&](const Arrival& known) {
      return is_of_this_turn(known) && have_same_devices(known.state, arrival.state, names());
    });
    const auto states = static_cast<size_t>(std::ranges::count_if(seen, is_of_this_turn));
    if (partner == seen.end() && states < engine_.states_per_block())
      return keep(block, std::move(arrival));
    if (partner == seen.end()) partner = std::ranges::find_if(seen, is_of_this_turn);
    return take_in(block, *partner, arrival, /*are_unlike=*/true);
  }
  if (seen.size() >= most_states(block, arrival.state)) {
    auto pair = find_pair(seen, agree);
    const bool differ_in_more = !pair;
    Arrival* partner = nullptr;
    if (!pair) {
      const auto are_on_same_devices = [&](const Arrival& a, const Arrival& b) {
        return have_same_devices(a.state, b.state, names());
      };
      const auto alike = std::find_if(seen.rbegin(), seen.rend(), [&](const Arrival& each) {
        return are_on_same_devices(each, arrival);
      });
      if (alike != seen.rend())
        partner = &*alike;
      else if (pair = find_pair(seen, are_on_same_devices); !pair)
        partner = &seen.back();
    }
    if (partner) {
      Arrival& last = *partner;
      // Where only one of two paths fills a list, that path is kept: the other has no elements.
      if (is_filled_under_conditions(last.state, arrival.state)) return;
      if (is_filled_under_conditions(arrival.state, last.state)) {
        arrival.turn.admit(last.turn);
        arrival.bytes = last.bytes;
        last = std::move(arrival);
        return make_due(block, last);
      }
      return take_in(block, last, arrival, /*are_unlike=*/true);
    }
    take_in(block, seen[pair->first], seen[pair->second], /*are_unlike=*/differ_in_more);
    engine_.kept_bytes_ -= seen[pair->second].bytes;
    seen.erase(seen.begin() + static_cast<long>(pair->second));
  }
  keep(block, std::move(arrival));
}

void Activation::join_exits(Exit& into, const Exit& other, bool are_unlike) {
  uint32_t end = static_cast<uint32_t>(function_.blocks.size());
  into.state = join(into.state, other.state, names(), end, {.live = {}, .are_unlike = are_unlike});
  into.value = join(into.value, other.value, name("exit<" + function_.key + ">"));
}

void Activation::leave(State state, const Value& value) {
  state.slots.assign(1, value);
  state.collect_garbage(static_cast<ObjectId>(entry_.caller_ids.size()));
  state.slots.clear();
  for (Exit& exit : summary_.exits) {
    if (!alike(exit.value, value) || !alike(exit.state, state)) continue;
    // Who asks gets the answer of each path.
    const std::optional<bool> known = outcome(exit.state, exit.value);
    const std::optional<bool> now = outcome(state, value);
    if (known && now && *known != *now) continue;
    // A number that may name the last device, `device_count() - 1`, is not joined with others.
    if (offset_from_count(exit.value, names()) != offset_from_count(value, names())) continue;
    join_exits(exit, {std::move(state), value}, /*are_unlike=*/false);
    return;
  }
  summary_.exits.push_back({std::move(state), value});
  if (summary_.exits.size() > engine_.options_.exits_per_call) join_two_exits();
}

void Activation::join_two_exits() {
  Exits& exits = summary_.exits;
  TextComparison comparison(entry_, names());
  auto [into, from] =
      find_pair(exits, [&](const Exit& a, const Exit& b) {
        return agree_on_places(a.value, b.value) && comparison.differ_in_texts(a.state, b.state);
      }).value_or(std::pair(exits.size() - 2, exits.size() - 1));
  join_exits(exits[into], exits[from], /*are_unlike=*/false);
  exits.erase(exits.begin() + static_cast<long>(from));
}

void Activation::join_doubtful_exits() {
  Exits& exits = summary_.exits;
  Doubts doubts;
  doubts.give_up();
  for (const Exit& exit : exits) {
    if (exit.state.has_exact_path()) return;
    doubts.join(exit.state.doubts);
  }
  if (!doubts.is_exact()) return;
  while (exits.size() > 1) {
    join_exits(exits.front(), exits.back(), /*are_unlike=*/true);
    exits.pop_back();
  }
}

}  // namespace placecheck::dataflow
