// slow-data-loader: the batches of a data loader are made, or copied to a GPU, while nothing else
// runs.
#include "rules/slow_data_loader.h"

#include "analyzer/checks/check.h"
#include "analyzer/checks/loader_fix.h"

namespace placecheck::checks {
namespace {

namespace rule = rules::slow_data_loader;
using rules::Trait;

std::string message_for(const dataflow::LoaderFacts& loader) {
  std::string message = "the batches of this data loader are copied to a GPU, and it ";
  if (loader.has_workers == Trait::kNo) message += "has no workers";
  if (loader.has_workers == Trait::kNo && loader.pins == Trait::kNo) message += " and ";
  if (loader.pins == Trait::kNo) message += "does not pin its memory";
  return message;
}

void on_event(const dataflow::Event& event, const dataflow::View& view, Reporter& reporter) {
  const auto* upload = std::get_if<dataflow::UploadEvent>(&event);
  if (!upload) return;
  const dataflow::LoaderFacts& loader = view.origins[upload->origin].loader;
  if (loader.made_at == 0) return;
  if (rule::judge(loader.has_workers, loader.pins) != rules::Verdict::kBroken) return;
  const dataflow::Site& made_at = view.origins[loader.made_at].site;
  findings::Finding finding = reporter.start(rule::kRule, made_at, message_for(loader));
  finding.notes.push_back({Reporter::range_of(upload->site), "a batch is copied here"});
  finding.fix = loader.has_workers == Trait::kNo ? loader.pins == Trait::kNo
                                                       ? "give it num_workers and pin_memory=True"
                                                       : "give it num_workers"
                                                 : "give it pin_memory=True";
  // How many workers are right depends on the machine: only the memory has one answer.
  if (loader.has_workers != Trait::kNo) finding.fix_its = pin_memory(made_at, reporter);
  reporter.add(std::move(finding));
}

}  // namespace

extern const Check kSlowDataLoader{&rule::kRule, on_event, nullptr};

}  // namespace placecheck::checks
