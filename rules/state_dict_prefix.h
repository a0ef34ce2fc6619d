// state-dict-prefix: keys saved with "module." are loaded into a bare module, or the other way.
// Constants and pure functions; any thread may call them.
#ifndef PLACECHECK_RULES_STATE_DICT_PREFIX_H_
#define PLACECHECK_RULES_STATE_DICT_PREFIX_H_

#include <span>
#include <string>
#include <string_view>

#include "rules/facts.h"
#include "rules/rule.h"
#include "rules/verdict.h"

namespace placecheck::rules::state_dict_prefix {

inline constexpr Rule kRule{
    .id = "state-dict-prefix",
    .summary =
        "a checkpoint saved with the wrapper's \"module.\" is loaded without it, or the "
        "other way round",
    .category = Category::kCheckpoint,
    .severity = Severity::kError,
    .languages = {.cpp = true, .cuda = true, .python = true},
    .witnesses = {.analyzer = true, .runtime = true},
    .predicted_error =
        "Error(s) in loading state_dict for {}:\n\tMissing key(s) in state_dict: "
        "{}. \n\tUnexpected key(s) in state_dict: {}. ",
};

// `strict`: a key that is missing is an error.
constexpr Verdict judge(PrefixFact saved, PrefixFact target, Trait strict) {
  if (strict == Trait::kNo) return Verdict::kHolds;  // the other rule's case
  const Verdict same = same_prefix(saved, target);
  if (same == Verdict::kBroken && strict == Trait::kUnknown) return Verdict::kUnknown;
  return same;
}

inline std::string quoted_keys(std::span<const std::string_view> keys) {
  std::string text;
  for (std::string_view key : keys) {
    if (!text.empty()) text += ", ";
    text += '"' + std::string(key) + '"';
  }
  return text;
}

// load_state_dict: every complaint in one error. An empty list leaves its part out.
inline std::string message(std::string_view class_name, std::span<const std::string_view> missing,
                           std::span<const std::string_view> unexpected) {
  std::string text = "Error(s) in loading state_dict for " + std::string(class_name) + ":";
  if (!missing.empty()) text += "\n\tMissing key(s) in state_dict: " + quoted_keys(missing) + ". ";
  if (!unexpected.empty()) {
    text += "\n\tUnexpected key(s) in state_dict: " + quoted_keys(unexpected) + ". ";
  }
  return text;
}

// torch::load of a module: the first parameter or buffer, or else the first child, that the archive
// lacks. The path is dotted ("encoder.weight").
inline std::string archive_tensor_message(std::string_view path) {
  return "No such serialized tensor '" + std::string(path) + "'";
}

// Looking a key up in an OrderedDict that lacks it. `what`: as the dictionary calls its keys.
inline std::string ordered_dict_message(std::string_view key, std::string_view what = "Key") {
  return std::string(what) + " '" + std::string(key) + "' is not defined";
}

// What libstdc++'s std::out_of_range says of at() with such a key.
inline constexpr std::string_view kMapMessage = "map::at";
inline constexpr std::string_view kHashMapMessage = "unordered_map::at";
// What c10::Dict::at() says, in c10/util/order_preserving_flat_hash_map.h.
inline constexpr std::string_view kDictMessage = "Argument passed to at() was not in the map.";

inline std::string archive_submodule_message(std::string_view path) {
  return "No such serialized submodule: '" + std::string(path) + "'";
}

}  // namespace placecheck::rules::state_dict_prefix

#endif  // PLACECHECK_RULES_STATE_DICT_PREFIX_H_
