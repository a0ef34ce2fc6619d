// missing-key: a tensor or a module is asked for by a name that it does not have, or an archive for
// an entry that was not written.
#include "rules/missing_key.h"

#include "analyzer/checks/state_dict.h"
#include "rules/state_dict_prefix.h"

namespace placecheck::checks {
namespace {

using dataflow::KeyReader;
namespace rule = rules::missing_key;
namespace texts = rules::state_dict_prefix;

std::string_view asked_for(KeyReader reader) {
  switch (reader) {
    case KeyReader::kModuleName:
    case KeyReader::kChildName:
      return "module";
    case KeyReader::kArchiveTree:
    case KeyReader::kCheckpoint:
    case KeyReader::kDevice:
    case KeyReader::kHashMap:
    case KeyReader::kMap:
    case KeyReader::kWrapped:
      return "entry";
    default:
      return "tensor";
  }
}

std::string holder_text(KeyReader reader) {
  switch (reader) {
    case KeyReader::kCheckpoint:
      return "the checkpoint";
    case KeyReader::kDevice:
    case KeyReader::kHashMap:
    case KeyReader::kMap:
    case KeyReader::kWrapped:
      return "the table";
    default:
      return "the archive";
  }
}

std::string predicted(const dataflow::MissingKeyEvent& event) {
  switch (event.reader) {
    case KeyReader::kChildName:
      return texts::ordered_dict_message(event.key, "Submodule");
    case KeyReader::kCheckpoint:
    case KeyReader::kDevice:
    case KeyReader::kWrapped:
      return rule::message_of_table(event.key);
    case KeyReader::kHashMap:
      return std::string(texts::kHashMapMessage);
    case KeyReader::kMap:
      return std::string(texts::kMapMessage);
    case KeyReader::kArchive:
      return texts::archive_tensor_message(event.key);
    case KeyReader::kArchiveTree:
      return texts::archive_submodule_message(event.key);
    default:
      return texts::ordered_dict_message(event.key);
  }
}

// "a", "b" and 3 more.
std::string listed(const std::vector<std::string>& names) {
  constexpr size_t kShown = 4;
  std::string text;
  for (size_t i = 0; i < names.size() && i < kShown; ++i)
    text += (i == 0 ? "\"" : ", \"") + names[i] + "\"";
  if (names.size() > kShown) text += " and " + std::to_string(names.size() - kShown) + " more";
  return text;
}

// What was saved of a whole is loaded into a part of it, or that of a part into the whole.
void on_load(const dataflow::LoadStateEvent& load, const dataflow::View& view, Reporter& reporter) {
  const bool is_load =
      load.reader == KeyReader::kStateDict || load.reader == KeyReader::kArchiveTree;
  const Prefixes prefixes = compare_keys(load);
  const bool is_wrapped = prefixes.saved.depth != prefixes.expected.depth;
  if (!is_load || !load.strict || is_wrapped) return;
  const std::string of_part = prefix_of_part(load.saved_keys, load.expected_keys);
  const bool is_of_whole = !of_part.empty();
  const std::string prefix =
      is_of_whole ? of_part : prefix_of_part(load.expected_keys, load.saved_keys);
  if (prefix.empty()) return;
  const std::string type = "'" + Reporter::class_name(load.site, load.type_name) + "'";
  findings::Finding finding = reporter.start(
      rule::kRule, load.site,
      "the keys were saved " + std::string(is_of_whole ? "with \"" : "without \"") + prefix +
          "\" before those of " + type +
          (is_of_whole ? ": it is a part of what was saved" : ": what was saved is a part of it"));
  add_saved_note(finding, load, view);
  finding.predicted_error = predicted_error(load);
  finding.fix = is_of_whole ? "save the part by itself, or load the whole module and take its part"
                            : "load into the part, or save the whole module";
  reporter.add(std::move(finding));
}

std::string fix_of(const dataflow::MissingKeyEvent& event) {
  switch (event.reader) {
    case KeyReader::kDevice:
    case KeyReader::kHashMap:
    case KeyReader::kMap:
      return "name each device with its index: a tensor's device has one, \"cuda\" has none";
    case KeyReader::kWrapped:
      return "ask the wrapped module for its names, which do not begin with \"module.\"";
    default:
      return "ask for a name that is there, or register or write it by this one";
  }
}

void on_missing(const dataflow::MissingKeyEvent& event, const dataflow::View& view,
                Reporter& reporter) {
  if (rule::judge(event.is_there) != rules::Verdict::kBroken) return;
  const std::string holder = holder_text(event.reader);
  const std::string owner = event.type_name.empty()
                                ? holder
                                : "'" + Reporter::class_name(event.site, event.type_name) + "'";
  std::string message =
      owner + " has no " + std::string(asked_for(event.reader)) + " named \"" + event.key + "\"";
  if (!event.there.empty()) message += ": it has " + listed(event.there);
  findings::Finding finding = reporter.start(rule::kRule, event.site, std::move(message));
  const dataflow::Origin& saved = view.origins[event.saved_at];
  if (event.saved_at != 0 && saved.site.valid())
    finding.notes.push_back({Reporter::range_of(saved.site), holder + " was filled here"});
  finding.predicted_error = predicted(event);
  finding.fix = fix_of(event);
  reporter.add(std::move(finding));
}

void on_event(const dataflow::Event& event, const dataflow::View& view, Reporter& reporter) {
  if (const auto* missing = std::get_if<dataflow::MissingKeyEvent>(&event))
    on_missing(*missing, view, reporter);
  if (const auto* load = std::get_if<dataflow::LoadStateEvent>(&event))
    on_load(*load, view, reporter);
}

}  // namespace

extern const Check kMissingKey{&rule::kRule, on_event, nullptr};

}  // namespace placecheck::checks
