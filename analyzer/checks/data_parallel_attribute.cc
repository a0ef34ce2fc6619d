// data-parallel-attribute: a member of the wrapped module is asked of the wrapper.
#include "rules/data_parallel_attribute.h"

#include "analyzer/checks/edits.h"

namespace placecheck::checks {
namespace {

namespace rule = rules::data_parallel_attribute;

void on_bare(const dataflow::WrapperAttributeEvent& asked, Reporter& reporter) {
  const std::string name = reporter.quoted({asked.site.unit, asked.receiver}, "the module");
  findings::Finding finding = reporter.start(
      rule::kRule, asked.site,
      "'module' is a member of a wrapper, and " + name + " is a bare '" + asked.wrapper + "'");
  finding.predicted_error = rule::message(asked.wrapper, asked.attribute);
  finding.fix =
      "use the module itself, or getattr(model, \"module\", model) where it may be wrapped";
  reporter.add(std::move(finding));
}

void on_replica(const dataflow::ReplicaParametersEvent& asked, Reporter& reporter) {
  findings::Finding finding = reporter.start(
      rule::kRule, asked.site,
      "a replica of DataParallel has no parameters(): its weights are plain attributes there");
  finding.predicted_error = std::string(rule::kNoParameters);
  finding.fix = "take the device from the forward's input, or from a buffer";
  reporter.add(std::move(finding));
}

void on_event(const dataflow::Event& event, const dataflow::View&, Reporter& reporter) {
  if (const auto* replica = std::get_if<dataflow::ReplicaParametersEvent>(&event))
    return on_replica(*replica, reporter);
  const auto* asked = std::get_if<dataflow::WrapperAttributeEvent>(&event);
  if (!asked) return;
  if (asked->is_bare) return on_bare(*asked, reporter);
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
