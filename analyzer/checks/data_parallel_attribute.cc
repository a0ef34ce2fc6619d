// data-parallel-attribute: a member of the wrapped module is asked of the wrapper.
#include "rules/data_parallel_attribute.h"

#include "analyzer/checks/edits.h"

namespace placecheck::checks {
namespace {

namespace rule = rules::data_parallel_attribute;

void on_event(const dataflow::Event& event, const dataflow::View&, Reporter& reporter) {
  const auto* asked = std::get_if<dataflow::WrapperAttributeEvent>(&event);
  if (!asked) return;
  std::string name = reporter.quoted({asked->site.unit, asked->receiver}, "the wrapper");
  findings::Finding finding =
      reporter.start(rule::kRule, asked->site,
                     "'" + asked->attribute + "' is a member of the wrapped module, not of " +
                         name + ", its " + asked->wrapper + " wrapper");
  finding.predicted_error = rule::message(asked->wrapper, asked->attribute);
  finding.fix = "go through the wrapped module: .module." + asked->attribute;
  finding.fix_its = add_suffix({asked->site.unit, asked->receiver}, ".module", reporter);
  reporter.add(std::move(finding));
}

}  // namespace

extern const Check kDataParallelAttribute{&rule::kRule, on_event, nullptr};

}  // namespace placecheck::checks
