// missing-key: a tensor or a module is asked for by a name that it does not have, or an archive for
// an entry that was not written.
#include "rules/missing_key.h"

#include "analyzer/checks/check.h"
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
      return "entry";
    default:
      return "tensor";
  }
}

std::string predicted(const dataflow::MissingKeyEvent& event) {
  switch (event.reader) {
    case KeyReader::kChildName:
      return texts::ordered_dict_message(event.key, "Submodule");
    case KeyReader::kCheckpoint:
      return rule::message_of_table(event.key);
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

void on_event(const dataflow::Event& event, const dataflow::View& view, Reporter& reporter) {
  const auto* missing = std::get_if<dataflow::MissingKeyEvent>(&event);
  if (!missing || rule::judge(missing->is_there) != rules::Verdict::kBroken) return;
  const std::string file =
      missing->reader == KeyReader::kCheckpoint ? "the checkpoint" : "the archive";
  const std::string owner =
      missing->type_name.empty()
          ? file
          : "'" + Reporter::class_name(missing->site, missing->type_name) + "'";
  std::string message = owner + " has no " + std::string(asked_for(missing->reader)) + " named \"" +
                        missing->key + "\"";
  if (!missing->there.empty()) message += ": it has " + listed(missing->there);
  findings::Finding finding = reporter.start(rule::kRule, missing->site, std::move(message));
  const dataflow::Origin& saved = view.origins[missing->saved_at];
  if (missing->saved_at != 0 && saved.site.valid())
    finding.notes.push_back({Reporter::range_of(saved.site), file + " was filled here"});
  finding.predicted_error = predicted(*missing);
  finding.fix = "ask for a name that is there, or register or write it by this one";
  reporter.add(std::move(finding));
}

}  // namespace

extern const Check kMissingKey{&rule::kRule, on_event, nullptr};

}  // namespace placecheck::checks
