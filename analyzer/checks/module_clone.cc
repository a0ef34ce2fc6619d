// module-clone: a module is cloned, or replicated, whose class cannot be cloned.
#include "rules/module_clone.h"

#include "analyzer/checks/check.h"

namespace placecheck::checks {
namespace {

namespace rule = rules::module_clone;
using Cause = dataflow::FailedCloneEvent::Cause;

struct Part {
  std::string_view what, function;
};

Part part_of(Cause cause) {
  switch (cause) {
    case Cause::kParameters:
      return {"parameters", "register_parameter"};
    case Cause::kBuffers:
      return {"buffers", "register_buffer"};
    default:
      return {"child modules", "register_module"};
  }
}

void word_not_cloneable(const std::string& name, findings::Finding& finding) {
  finding.message =
      "'" + name + "' is cloned here, but it does not derive from torch::nn::Cloneable";
  finding.predicted_error = rule::not_implemented(name);
  finding.fix = "derive '" + name + "' from torch::nn::Cloneable<" + name +
                ">, and register its parts in reset()";
}

void word_reset(const std::string& name, const Part& part, findings::Finding& finding) {
  finding.message = "'" + name + "' is cloned here, but its reset() does not register all of its " +
                    std::string(part.what);
  finding.predicted_error = rule::not_registered(part.what, part.function);
  finding.fix =
      "call " + std::string(part.function) + "() in reset(), and reset() in the constructor";
}

void on_event(const dataflow::Event& event, const dataflow::View&, Reporter& reporter) {
  const auto* failed = std::get_if<dataflow::FailedCloneEvent>(&event);
  if (!failed || rule::judge(rules::Trait::kNo) != rules::Verdict::kBroken) return;
  findings::Finding finding = reporter.start(rule::kRule, failed->site, "");
  if (failed->cause == Cause::kNotCloneable)
    word_not_cloneable(failed->class_name, finding);
  else
    word_reset(failed->class_name, part_of(failed->cause), finding);
  if (failed->class_site.valid())
    finding.notes.push_back({Reporter::range_of(failed->class_site), "the class is defined here"});
  reporter.add(std::move(finding));
}

}  // namespace

extern const Check kModuleClone{&rule::kRule, on_event, nullptr};

}  // namespace placecheck::checks
