// prefix-strip-anywhere: "module." is removed from keys wherever it occurs, or with a wrong length.
#include "rules/prefix_strip_anywhere.h"

#include "analyzer/checks/check.h"

namespace placecheck::checks {
namespace {

namespace rule = rules::prefix_strip_anywhere;

// A key that shows it: an inner name ends like the prefix.
constexpr std::string_view kBefore = "submodule.weight";

void report(const dataflow::CutTextEvent& event, std::string message, std::string_view wrong,
            std::string fix, Reporter& reporter) {
  findings::Finding finding = reporter.start(rule::kRule, event.site, std::move(message));
  finding.predicted_error = rules::state_dict_prefix::ordered_dict_message(wrong);
  finding.fix = std::move(fix);
  reporter.add(std::move(finding));
}

// The key without the prefix, as the file's language writes it.
std::string rest(const dataflow::CutTextEvent& event) {
  const std::string size = std::to_string(rule::kPrefix.size());
  return Reporter::is_python(event.site) ? "key[" + size + ":]" : "key.substr(" + size + ")";
}

void on_every(const dataflow::CutTextEvent& event, Reporter& reporter) {
  bool is_ours =
      event.by_pattern ? rule::is_loose_pattern(event.part) : event.part == rule::kPrefix;
  if (!is_ours || rule::judge_every(rules::Trait::kYes) != rules::Verdict::kBroken) return;
  std::string part(rule::kPrefix);
  report(event,
         "every '" + part + "' is removed, also inside a key: '" + std::string(kBefore) +
             "' becomes 'subweight'",
         "subweight", "test that the key begins with it, and cut off that one: " + rest(event),
         reporter);
}

void on_length(const dataflow::CutTextEvent& event, Reporter& reporter) {
  if (!event.length || !rule::is_prefix(event.part) ||
      rule::judge_length(*event.length) != rules::Verdict::kBroken)
    return;
  std::string size = std::to_string(rule::kPrefix.size());
  std::string wrong = std::string("module.weight").substr(static_cast<size_t>(*event.length));
  report(event,
         std::to_string(*event.length) +
             (*event.length == 1 ? " character is" : " characters are") +
             " cut off, but 'module.' has " + size + ": 'module.weight' becomes '" + wrong + "'",
         wrong, "cut off " + size + ": " + rest(event), reporter);
}

void on_characters(const dataflow::CutTextEvent& event, Reporter& reporter) {
  if (!rule::is_prefix(event.part)) return;
  report(event,
         "every leading character that is in '" + event.part + "' is removed, not the prefix: '" +
             event.eaten_key + "' becomes '" + event.left_of_it + "'",
         event.left_of_it,
         "cut the prefix off: key.removeprefix(\"" + std::string(rule::kPrefix) + "\")", reporter);
}

void on_event(const dataflow::Event& event, const dataflow::View&, Reporter& reporter) {
  const auto* cut = std::get_if<dataflow::CutTextEvent>(&event);
  if (!cut) return;
  if (!cut->eaten_key.empty()) on_characters(*cut, reporter);
  if (cut->every) on_every(*cut, reporter);
  if (cut->length) on_length(*cut, reporter);
}

}  // namespace

extern const Check kPrefixStripAnywhere{&rules::prefix_strip_anywhere::kRule, on_event, nullptr};

}  // namespace placecheck::checks
