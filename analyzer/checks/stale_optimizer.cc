// stale-optimizer: an optimizer was made before a module was replaced, and updates the old
// parameters.
#include "rules/stale_optimizer.h"

#include "analyzer/checks/check.h"

namespace placecheck::checks {
namespace {

namespace rule = rules::stale_optimizer;

struct Wording {
  std::string_view message, note, fix;
};

const Wording& wording_of(const dataflow::StaleOptimizerEvent& event) {
  static constexpr Wording kCopied = {
      "the optimizer is made before the module is copied: the copy is trained, but it updates the "
      "parameters of the original",
      "the module is copied here", "make the optimizer for the copy, after it was made"};
  static constexpr Wording kMember = {
      "the member is a copy of the registered parameter from here on: the copy is used, and the "
      "optimizer updates the parameter",
      "", "move the module with to(), which moves its parameters in place"};
  static constexpr Wording kReplaced = {
      "the optimizer is made before a module is replaced: it updates the parameters of the old one",
      "the module is replaced here",
      "make the optimizer after the last change of the model's modules"};
  return event.is_copied ? kCopied : event.is_member ? kMember : kReplaced;
}

void on_event(const dataflow::Event& event, const dataflow::View& view, Reporter& reporter) {
  const auto* stale = std::get_if<dataflow::StaleOptimizerEvent>(&event);
  if (!stale || rule::judge(rules::Trait::kNo) != rules::Verdict::kBroken) return;
  const dataflow::Site made = view.origins[stale->optimizer].site;
  const dataflow::Origin& replaced = view.origins[stale->replaced];
  const Wording& words = wording_of(*stale);
  const dataflow::Site site = stale->is_member ? replaced.site : made;
  findings::Finding finding =
      reporter.start(rule::kRule, site.valid() ? site : stale->site, std::string(words.message));
  const std::string happens(words.note);
  if (replaced.site.valid() && !stale->is_member)
    finding.notes.push_back({Reporter::range_of(replaced.site), happens});
  finding.notes.push_back({Reporter::range_of(stale->site), "the optimizer makes a step here"});
  finding.predicted_error = std::string(rule::kRule.predicted_error);
  finding.fix = words.fix;
  reporter.add(std::move(finding));
}

}  // namespace

extern const Check kStaleOptimizer{&rule::kRule, on_event, nullptr};

}  // namespace placecheck::checks
