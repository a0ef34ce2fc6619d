// state-dict-silent-miss: the prefixes differ, misses are tolerated, and so nothing is loaded.
#include "rules/state_dict_silent_miss.h"

#include "analyzer/checks/state_dict.h"

namespace placecheck::checks {
namespace {

// The keys of both sides are known, and there is no key that both have.
bool loads_nothing(const dataflow::LoadStateEvent& load) {
  return load.reader == dataflow::KeyReader::kStateDict && !load.strict &&
         !load.expected_keys.empty() && !have_common_key(load.saved_keys, load.expected_keys);
}

void report_nothing_loaded(const dataflow::LoadStateEvent& load, const dataflow::View& view,
                           Reporter& reporter) {
  const std::string what = load.saved_keys.empty()
                               ? "the state dict has no keys"
                               : "no key matches: \"" + load.saved_keys.front() +
                                     "\" and the others are none of '" +
                                     Reporter::class_name(load.site, load.type_name) + "'";
  findings::Finding finding =
      reporter.start(rules::state_dict_silent_miss::kRule, load.site,
                     what + ", and missing keys are ignored: nothing is loaded");
  add_saved_note(finding, load, view);
  finding.fix =
      "compare the keys that were saved with those of the module, and treat a missing "
      "key as an error";
  reporter.add(std::move(finding));
}

void on_missed_names(const dataflow::MissedNamesEvent& event, const dataflow::View& view,
                     Reporter& reporter) {
  using Question = dataflow::MissedNamesEvent::Question;
  const auto what = [&]() -> std::string {
    switch (event.question) {
      case Question::kBeginning:
        return "no name begins with \"" + event.asked + "\"";
      case Question::kMembership:
        return "no name is a key of the table";
      case Question::kUpdate:
        return "nothing is taken over, since \"" + event.asked + "\" is no key of the table";
    }
    return {};
  };
  findings::Finding finding =
      reporter.start(rules::state_dict_silent_miss::kRule, event.site,
                     what() + ": those of a wrapped module begin with \"module.\"");
  const dataflow::Site& asked = view.origins[event.asked_at].site;
  if (asked.valid())
    finding.notes.push_back({Reporter::range_of(asked), "the keys are compared here"});
  finding.predicted_error = "no error: the tensors are left out, and nothing is said of it";
  finding.fix = event.question == Question::kUpdate
                    ? "save the state dict of the wrapped module: model.module.state_dict()"
                    : "take the names of the wrapped module: model.module.named_parameters()";
  reporter.add(std::move(finding));
}

void on_event(const dataflow::Event& event, const dataflow::View& view, Reporter& reporter) {
  if (const auto* missed = std::get_if<dataflow::MissedNamesEvent>(&event))
    return on_missed_names(*missed, view, reporter);
  const auto* load = std::get_if<dataflow::LoadStateEvent>(&event);
  if (!load) return;
  Prefixes prefixes = compare_keys(*load);
  rules::Trait strict = load->strict ? rules::Trait::kYes : rules::Trait::kNo;
  rules::Verdict verdict =
      rules::state_dict_silent_miss::judge(prefixes.saved, prefixes.expected, strict);
  bool by_name = !load->look_up.empty();
  if (verdict == rules::Verdict::kHolds && by_name) reporter.note_found(load->look_up);
  if (verdict != rules::Verdict::kBroken) {
    if (loads_nothing(*load)) report_nothing_loaded(*load, view, reporter);
    return;
  }
  findings::Finding finding =
      reporter.start(rules::state_dict_silent_miss::kRule, load->site,
                     "no key matches: the saved ones and those of '" +
                         Reporter::class_name(load->site, load->type_name) +
                         "' differ by \"module.\", and missing keys are ignored");
  add_saved_note(finding, *load, view);
  finding.fix = "strip or add the prefix before this, and treat a missing key as an error";
  // A program that tries a name with and without the prefix finds one of them.
  if (by_name)
    reporter.add_unless_found({load->look_up}, std::move(finding));
  else
    reporter.add(std::move(finding));
}

}  // namespace

extern const Check kStateDictSilentMiss{&rules::state_dict_silent_miss::kRule, on_event, nullptr};

}  // namespace placecheck::checks
