#include "analyzer/dataflow/implication.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "analyzer/dataflow/state.h"
#include "llvm/ADT/StringExtras.h"

namespace placecheck::dataflow {
namespace {

constexpr size_t kMost = 64;

bool satisfies(const State& state, const Implication& rule) {
  return state.assumed(rule.condition) == !rule.holds ||
         state.assumed(rule.then) == rule.then_holds ||
         std::ranges::find(state.implications, rule) != state.implications.end();
}

using Assumptions = std::vector<std::pair<Name, bool>>;

// What `path` assumed and `other` did not.
Assumptions own_assumptions(const State& path, const State& other) {
  Assumptions own;
  std::ranges::copy_if(path.assumptions, std::back_inserter(own), [&](const auto& entry) {
    return other.assumed(entry.first) != entry.second;
  });
  return own;
}

// Those of `own` that the state which is left may still decide.
Assumptions still_decided(Assumptions own, LiveSymbols& live, const State& state) {
  std::erase_if(own, [&](const auto& entry) { return !live.may_be_decided(entry.first, state); });
  return own;
}

// The result of one call, or what several became where paths met: `<17>`, `join3.s1`.
bool is_result(std::string_view text) {
  if (text.starts_with(kJoined)) return true;
  return text.size() > 1 && text[0] == '<' && llvm::isDigit(text[1]);
}

// A condition about such results alone.
bool is_about_results(Name condition, const Names& names) {
  const std::vector<Name>& operands = names.operands(condition);
  if (operands.empty())
    return is_result(names.text(condition)) || is_literal(names.text(condition));
  return std::ranges::all_of(operands, [&](Name each) { return is_about_results(each, names); });
}

}  // namespace

bool LiveSymbols::may_be_decided(Name condition, const State& state) {
  if (!names_ || !is_about_results(condition, *names_)) return true;
  if (!is_collected_) collect(state);
  return is_live(condition);
}

bool LiveSymbols::is_live(Name condition) const {
  const std::vector<Name>& operands = names_->operands(condition);
  if (operands.empty())
    return symbols_.contains(condition) || std::ranges::binary_search(visible_, condition);
  return std::ranges::any_of(operands, [&](Name each) { return is_live(each); });
}

void LiveSymbols::add(Name name) {
  if (name == 0) return;
  if (names_->operands(name).empty()) symbols_.insert(name);
  for (Name each : names_->operands(name)) add(each);
}

void LiveSymbols::collect(const State& state) {
  is_collected_ = true;
  auto add_value = [&](const Value& value) {
    if (value.has_identity()) add(value.name);
    if (value.place.kind != PlaceKind::kCell) add(value.place.symbol);
  };
  std::ranges::for_each(state.slots.values(), add_value);
  for (const auto& [name, value] : state.globals) add_value(value);
  for (ObjectId id = 0; id < state.object_count(); ++id) {
    if (!state.has(id)) continue;
    add(state.object(id).symbol);
    for_each_value(state.object(id), add_value);
  }
  add(state.thread.current_device.symbol);
  add(state.setup.visible);
}

bool keep_common_assumptions(State& kept, const State& other, LiveSymbols live) {
  const bool is_more_certain = kept.doubts.join(other.doubts);
  const Assumptions own = own_assumptions(kept, other);
  const Assumptions others = own_assumptions(other, kept);
  // One path or the other was taken: where an assumption of the one fails, those of the other hold.
  std::vector<Implication> implied;
  const Assumptions then_hold = own.empty() ? Assumptions() : still_decided(others, live, kept);
  for (const auto& [condition, holds] :
       then_hold.empty() ? Assumptions() : still_decided(own, live, kept)) {
    for (const auto& [then, then_holds] : then_hold)
      if (then != condition) implied.push_back({condition, !holds, then, then_holds});
  }
  std::ranges::copy_if(other.implications, std::back_inserter(implied),
                       [&](const Implication& rule) { return satisfies(kept, rule); });
  size_t erased = std::erase_if(kept.implications,
                                [&](const Implication& rule) { return !satisfies(other, rule); });
  erased += std::erase_if(kept.assumptions, [&](const auto& entry) {
    return std::ranges::find(own, entry) != own.end();
  });
  for (const Implication& rule : implied) add_implication(kept, rule);
  for (Name condition : other.forgotten) kept.lose(condition);
  return erased != 0 || is_more_certain;
}

void add_implication(State& state, const Implication& rule) {
  if (std::ranges::find(state.implications, rule) != state.implications.end()) return;
  // Only who decides both can contradict it.
  if (state.implications.size() == kMost) return state.lose(rule.then);
  state.implications.push_back(rule);
}

}  // namespace placecheck::dataflow
