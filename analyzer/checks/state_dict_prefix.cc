// state-dict-prefix: keys saved with "module." are loaded into a bare module, or the other way.
#include "rules/state_dict_prefix.h"

#include <algorithm>
#include <set>

#include "analyzer/checks/state_dict.h"

namespace placecheck::checks {
namespace {

constexpr std::string_view kPrefix = "module.";

// The keys without `kPrefix`, and how often all of them had it.
uint32_t strip(std::vector<std::string>& keys) {
  uint32_t times = 0;
  auto has_prefix = [](const std::string& key) { return key.starts_with(kPrefix); };
  while (!keys.empty() && std::all_of(keys.begin(), keys.end(), has_prefix)) {
    for (std::string& key : keys) key.erase(0, kPrefix.size());
    ++times;
  }
  return times;
}

// Those with the prefix, without it, sorted: a wrapper may have state of its own beside its module.
std::vector<std::string> wrapped_in(const std::vector<std::string>& keys) {
  std::vector<std::string> inner;
  for (const std::string& key : keys) {
    if (key.starts_with(kPrefix)) inner.push_back(key.substr(kPrefix.size()));
  }
  std::sort(inner.begin(), inner.end());
  return inner;
}

// The first keys of each side that the other lacks, as the error lists them.
std::string predicted_of_state_dict(const dataflow::LoadStateEvent& event) {
  constexpr size_t kShown = 3;
  auto lacking = [](const std::vector<std::string>& of, const std::vector<std::string>& in) {
    std::vector<std::string_view> found;
    for (const std::string& key : of) {
      bool has = std::find(in.begin(), in.end(), key) != in.end();
      if (!has && found.size() < kShown) found.push_back(key);
    }
    return found;
  };
  return rules::state_dict_prefix::message(Reporter::class_name(event.site, event.type_name),
                                           lacking(event.expected_keys, event.saved_keys),
                                           lacking(event.saved_keys, event.expected_keys));
}

// A name in the program text that the module has only with the prefix, or only without it.
void report_name(const dataflow::LoadStateEvent& event, Reporter& reporter) {
  const std::string& asked = event.expected_keys.front();
  const std::string& there = event.saved_keys.front();
  std::string what = event.reader == dataflow::KeyReader::kName ? "tensor" : "module";
  findings::Finding finding =
      reporter.start(rules::state_dict_prefix::kRule, event.site,
                     "'" + Reporter::class_name(event.site, event.type_name) + "' has no " + what +
                         " named \"" + asked + "\": it is \"" + there + "\" there");
  finding.predicted_error = predicted_error(event);
  finding.fix = "ask for \"" + there + "\", or ask the module without its wrapper";
  reporter.add(std::move(finding));
}

void on_event(const dataflow::Event& event, const dataflow::View& view, Reporter& reporter) {
  const auto* load = std::get_if<dataflow::LoadStateEvent>(&event);
  if (!load) return;
  Prefixes prefixes = compare_keys(*load);
  rules::Trait strict = load->strict ? rules::Trait::kYes : rules::Trait::kNo;
  if (rules::state_dict_prefix::judge(prefixes.saved, prefixes.expected, strict) !=
      rules::Verdict::kBroken)
    return;
  bool is_one_name = load->reader == dataflow::KeyReader::kName ||
                     load->reader == dataflow::KeyReader::kModuleName ||
                     load->reader == dataflow::KeyReader::kChildName;
  if (is_one_name) return report_name(*load, reporter);
  const std::string type = Reporter::class_name(load->site, load->type_name);
  bool saved_wrapped = prefixes.saved.depth > prefixes.expected.depth;
  findings::Finding finding = reporter.start(
      rules::state_dict_prefix::kRule, load->site,
      saved_wrapped ? "the keys were saved with \"module.\" but '" + type + "' has none"
                    : "the keys were saved without \"module.\" but '" + type + "' expects it");
  add_saved_note(finding, *load, view);
  finding.predicted_error = predicted_error(*load);
  finding.fix = saved_wrapped ? "save the wrapped module itself, or load into the wrapper"
                              : "load into the wrapped module itself, or save the wrapper";
  reporter.add(std::move(finding));
}

}  // namespace

bool have_common_key(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  const std::set<std::string_view> known(a.begin(), a.end());
  return std::ranges::any_of(b, [&](const std::string& each) { return known.contains(each); });
}

Prefixes compare_keys(const dataflow::LoadStateEvent& event) {
  std::vector<std::string> saved = event.saved_keys;
  std::vector<std::string> expected = event.expected_keys;
  uint32_t saved_times = strip(saved);
  uint32_t expected_times = strip(expected);
  std::sort(saved.begin(), saved.end());
  std::sort(expected.begin(), expected.end());
  if (saved.empty() || expected.empty()) return {};
  if (saved == expected)
    return {rules::PrefixFact::wrapped(saved_times), rules::PrefixFact::wrapped(expected_times)};
  const bool meet_without = event.reader == dataflow::KeyReader::kStateDict &&
                            saved_times != expected_times && have_common_key(saved, expected) &&
                            !have_common_key(event.saved_keys, event.expected_keys);
  if (meet_without)
    return {rules::PrefixFact::wrapped(saved_times), rules::PrefixFact::wrapped(expected_times)};
  if (saved_times + expected_times > 0) return {};
  if (wrapped_in(saved) == expected)
    return {rules::PrefixFact::wrapped(1), rules::PrefixFact::wrapped(0)};
  if (wrapped_in(expected) == saved)
    return {rules::PrefixFact::wrapped(0), rules::PrefixFact::wrapped(1)};
  return {};
}

std::string predicted_error(const dataflow::LoadStateEvent& event) {
  namespace rule = rules::state_dict_prefix;
  if (event.expected_keys.empty()) return "";
  const std::string& key = event.expected_keys.front();
  size_t dot = key.find('.');
  switch (event.reader) {
    case dataflow::KeyReader::kStateDict:
      return predicted_of_state_dict(event);
    case dataflow::KeyReader::kTable:
    case dataflow::KeyReader::kName:
    case dataflow::KeyReader::kModuleName:
      return rule::ordered_dict_message(key);
    case dataflow::KeyReader::kChildName:
      return rule::ordered_dict_message(key, "Submodule");
    case dataflow::KeyReader::kMap:
      return std::string(rule::kMapMessage);
    case dataflow::KeyReader::kHashMap:
      return std::string(rule::kHashMapMessage);
    case dataflow::KeyReader::kDict:
      return std::string(rule::kDictMessage);
    case dataflow::KeyReader::kProgram:
    case dataflow::KeyReader::kCheckpoint:
    case dataflow::KeyReader::kDevice:
    case dataflow::KeyReader::kWrapped:
      return "";
    case dataflow::KeyReader::kArchive:
      return rule::archive_tensor_message(key);
    case dataflow::KeyReader::kArchiveTree:
      return dot == std::string::npos ? rule::archive_tensor_message(key)
                                      : rule::archive_submodule_message(key.substr(0, dot));
  }
  return "";
}

std::string prefix_of_part(const std::vector<std::string>& whole,
                           const std::vector<std::string>& part) {
  if (part.empty() || have_common_key(whole, part)) return "";
  const std::set<std::string_view> known(whole.begin(), whole.end());
  for (const std::string& key : whole) {
    if (!key.ends_with("." + part.front())) continue;
    const std::string prefix = key.substr(0, key.size() - part.front().size());
    if (prefix.starts_with(".")) continue;
    const bool has_all = std::ranges::all_of(
        part, [&](const std::string& each) { return known.contains(prefix + each); });
    if (has_all) return prefix;
  }
  return "";
}

void add_saved_note(findings::Finding& finding, const dataflow::LoadStateEvent& event,
                    const dataflow::View& view) {
  if (event.saved_at == 0) return;
  const dataflow::Origin& origin = view.origins[event.saved_at];
  if (origin.site.valid())
    finding.notes.push_back({Reporter::range_of(origin.site), "the keys were saved here"});
}

extern const Check kStateDictPrefix{&rules::state_dict_prefix::kRule, on_event, nullptr};

}  // namespace placecheck::checks
