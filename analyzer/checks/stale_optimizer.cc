// stale-optimizer: an optimizer was made before a module was replaced, and updates the old
// parameters.
#include "rules/stale_optimizer.h"

#include "analyzer/checks/check.h"

namespace placecheck::checks {
namespace {

namespace rule = rules::stale_optimizer;

void on_event(const dataflow::Event& event, const dataflow::View& view, Reporter& reporter) {
  const auto* stale = std::get_if<dataflow::StaleOptimizerEvent>(&event);
  if (!stale || rule::judge(rules::Trait::kNo) != rules::Verdict::kBroken) return;
  const dataflow::Site made = view.origins[stale->optimizer].site;
  const std::string what = stale->is_copied
                               ? "the optimizer is made before the module is copied: the copy is "
                                 "trained, but it updates the parameters of the original"
                               : "the optimizer is made before a module is replaced: it updates "
                                 "the parameters of the old one";
  findings::Finding finding = reporter.start(rule::kRule, made.valid() ? made : stale->site, what);
  const dataflow::Origin& replaced = view.origins[stale->replaced];
  const std::string happens =
      stale->is_copied ? "the module is copied here" : "the module is replaced here";
  if (replaced.site.valid()) finding.notes.push_back({Reporter::range_of(replaced.site), happens});
  finding.notes.push_back({Reporter::range_of(stale->site), "the optimizer makes a step here"});
  finding.predicted_error = std::string(rule::kRule.predicted_error);
  finding.fix = stale->is_copied
                    ? "make the optimizer for the copy, after it was made"
                    : "make the optimizer after the last change of the model's modules";
  reporter.add(std::move(finding));
}

}  // namespace

extern const Check kStaleOptimizer{&rule::kRule, on_event, nullptr};

}  // namespace placecheck::checks
