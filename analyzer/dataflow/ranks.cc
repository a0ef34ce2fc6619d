#include "analyzer/dataflow/ranks.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/dataflow/scalars.h"

namespace placecheck::dataflow {
namespace {

bool is_one_of(std::string_view word, const auto& words) {
  return std::ranges::find(words, word) != std::end(words);
}

bool has_word_of_part(std::string_view lower) {
  constexpr std::string_view kWords[] = {"dp", "ep", "mp", "pp", "tp"};
  while (!lower.empty()) {
    const size_t end = std::min(lower.find('_'), lower.size());
    if (is_one_of(lower.substr(0, end), kWords)) return true;
    lower.remove_prefix(std::min(end + 1, lower.size()));
  }
  return false;
}

// "local_rank" of `local_rank#7`, `args.local_rank` and `the variable LOCAL_RANK`.
std::string_view identifier_in(std::string_view text) {
  text = text.substr(0, text.find('#'));
  return text.substr(text.find_last_of(". ") + 1);
}

bool is_rank(Name name, const Names& names) {
  if (names.is_term(name, kInteger)) return is_rank(names.operands(name)[0], names);
  const std::string& text = names.text(name);
  return text.find('(') == std::string::npos && names_rank(identifier_in(text));
}

std::optional<int64_t> number(Name name, const Names& names) {
  const std::string& text = names.text(name);
  int64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_whole = error == std::errc() && end == text.data() + text.size();
  return is_whole ? std::optional(value) : std::nullopt;
}

}  // namespace

bool names_rank(std::string_view name) {
  std::string lower(name);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
  constexpr std::string_view kParts[] = {"col", "group", "inter", "intra", "node", "ranks",
                                         "row", "shard", "stage", "sub",   "team"};
  const bool is_part = std::ranges::any_of(
      kParts, [&](std::string_view part) { return lower.find(part) != std::string::npos; });
  return lower.find("rank") != std::string::npos && !is_part && !has_word_of_part(lower);
}

bool names_chosen_rank(std::string_view name) {
  constexpr std::string_view kNames[] = {"dst",  "dst_",  "leader", "main_rank", "master",
                                         "root", "root_", "src",    "src_"};
  return is_one_of(name, kNames);
}

bool tells_ranks_apart(Name condition, const Names& names) {
  if (is_rank(condition, names)) return true;
  const std::vector<Name>& operands = names.operands(condition);
  if (operands.size() != 2) return false;
  const std::optional<int64_t> left = number(operands[0], names);
  const std::optional<int64_t> right = number(operands[1], names);
  const auto is_one = [&](Name other, std::optional<int64_t> value) {
    return value ? *value >= 0 : names_chosen_rank(identifier_in(names.text(other)));
  };
  if (names.is_term(condition, "eq"))
    return (is_rank(operands[0], names) && is_one(operands[1], right)) ||
           (is_rank(operands[1], names) && is_one(operands[0], left));
  // Beyond the first: a bound above that is one for all.
  return names.is_term(condition, "lt") && ((left == 0 && is_rank(operands[1], names)) ||
                                            (right == 1 && is_rank(operands[0], names)));
}

bool leaves_one_rank(Name condition, bool holds, const Names& names) {
  if (!tells_ranks_apart(condition, names)) return false;
  const bool is_beyond_first =
      names.is_term(condition, "lt") && names.text(names.operands(condition)[0]) == "0";
  const bool is_bare = is_rank(condition, names);
  return is_beyond_first || is_bare ? !holds : holds;
}

bool is_about_ranks(Name condition, const Names& names) {
  std::string text = names.text(condition);
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  if (text.find("rank") == std::string::npos || tells_ranks_apart(condition, names)) return false;
  const bool is_comparison = names.is_term(condition, "eq") || names.is_term(condition, "lt");
  return !is_comparison || std::ranges::none_of(names.operands(condition), [&](Name each) {
    return number(each, names).has_value();
  });
}

bool is_of_rank(const Place& place, const Names& names) {
  if (place.kind != PlaceKind::kCuda || place.index >= 0 || place.symbol == 0) return false;
  // `rank // 8` and `rank * 2` may be the same for some.
  constexpr std::string_view kKeeping[] = {"add", "int", "mod", "text"};
  const std::function<bool(Name)> is_of = [&](Name name) {
    if (is_rank(name, names)) return true;
    const bool keeps = std::ranges::any_of(
        kKeeping, [&](std::string_view operation) { return names.is_term(name, operation); });
    return keeps && std::ranges::any_of(names.operands(name), is_of);
  };
  return is_of(place.symbol);
}

bool differ_by_rank(const Place& fixed, const Place& of_rank, const Names& names) {
  return fixed.kind == PlaceKind::kCuda && fixed.index >= 0 && is_of_rank(of_rank, names);
}

bool has_several_ranks(const State& state, const Names& names) {
  const Name global = names.find(kSeveralRanks);
  const Value* several = global == 0 ? nullptr : state.find_global(global);
  return several && several->is(ValueKind::kBool) && several->number != 0;
}

}  // namespace placecheck::dataflow
