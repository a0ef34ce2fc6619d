// data-parallel-loss: what the replicas return as a number each is used as one number.
#include "rules/data_parallel_loss.h"

#include "analyzer/checks/edits.h"

namespace placecheck::checks {
namespace {

namespace rule = rules::data_parallel_loss;

void on_event(const dataflow::Event& event, const dataflow::View& view, Reporter& reporter) {
  const auto* used = std::get_if<dataflow::GatheredScalarsEvent>(&event);
  if (!used || rule::judge(rules::Trait::kNo) != rules::Verdict::kBroken) return;
  const dataflow::Site receiver{used->site.unit, used->receiver};
  const std::string what = reporter.quoted(receiver, "the result of the wrapper");
  findings::Finding finding = reporter.start(
      rule::kRule, used->site,
      what + " has an entry for each replica, and " + used->method + "() takes one number");
  const dataflow::Origin& gathered = view.origins[used->gathered];
  if (gathered.site.valid())
    finding.notes.push_back(
        {Reporter::range_of(gathered.site), "the replicas return a number each here"});
  finding.predicted_error =
      std::string(used->method == "item" ? rule::kNotOneElement : rule::kRule.predicted_error);
  finding.fix = "reduce it to one number: .mean()";
  finding.fix_its = add_suffix(receiver, ".mean()", reporter);
  reporter.add(std::move(finding));
}

}  // namespace

extern const Check kDataParallelLoss{&rule::kRule, on_event, nullptr};

}  // namespace placecheck::checks
