// non-leaf-parameter: what is to be trained is the result of a transfer.
#include "rules/non_leaf_parameter.h"

#include "analyzer/checks/check.h"

namespace placecheck::checks {
namespace {

namespace rule = rules::non_leaf_parameter;

findings::Finding start_of_member(const dataflow::NonLeafEvent& event, Reporter& reporter) {
  findings::Finding finding =
      reporter.start(rule::kRule, event.site,
                     "'" + event.member + "' is what the transfer returns, and no parameter of '" +
                         event.class_name + "': it is neither trained nor saved");
  finding.predicted_error = std::string(rule::kNotRegistered);
  finding.fix = "make the parameter of the tensor that has moved, or move the whole module";
  return finding;
}

findings::Finding start_of_optimized(const dataflow::NonLeafEvent& event, Reporter& reporter) {
  const std::string what = reporter.quoted({event.site.unit, event.operand}, "the tensor");
  findings::Finding finding = reporter.start(
      rule::kRule, event.site,
      what + " holds the result of a transfer, which the optimizer refuses: it is no leaf");
  finding.predicted_error = std::string(rule::kRule.predicted_error);
  finding.fix = "take it as a new leaf after the transfer: .detach().requires_grad_()";
  return finding;
}

void on_event(const dataflow::Event& event, const dataflow::View& view, Reporter& reporter) {
  const auto* used = std::get_if<dataflow::NonLeafEvent>(&event);
  if (!used || rule::judge(rules::Trait::kNo) != rules::Verdict::kBroken) return;
  findings::Finding finding =
      used->member.empty() ? start_of_optimized(*used, reporter) : start_of_member(*used, reporter);
  const dataflow::Origin& moved = view.origins[used->moved];
  if (moved.site.valid() && !(moved.site.range == used->site.range))
    finding.notes.push_back({Reporter::range_of(moved.site), "it is moved here"});
  reporter.add(std::move(finding));
}

}  // namespace

extern const Check kNonLeafParameter{&rule::kRule, on_event, nullptr};

}  // namespace placecheck::checks
