// pageable-copy: a copy to a GPU is to be asynchronous, and reads memory that is not pinned.
#include "rules/pageable_copy.h"

#include "analyzer/checks/check.h"
#include "analyzer/checks/loader_fix.h"

namespace placecheck::checks {
namespace {

namespace rule = rules::pageable_copy;
using rules::Trait;

// Of memory that something else made, nobody knows.
Trait is_pinned(const dataflow::Origin& origin) {
  using Kind = dataflow::OriginKind;
  const bool is_made_here = origin.kind == Kind::kCreated || origin.kind == Kind::kLoaded;
  return is_made_here || origin.loader.made_at != 0 ? origin.pinned : Trait::kUnknown;
}

void on_event(const dataflow::Event& event, const dataflow::View& view, Reporter& reporter) {
  const auto* upload = std::get_if<dataflow::UploadEvent>(&event);
  if (!upload) return;
  const dataflow::Origin& origin = view.origins[upload->origin];
  const Trait is_asynchronous = upload->is_asynchronous ? Trait::kYes : Trait::kNo;
  if (rule::judge(is_asynchronous, is_pinned(origin)) != rules::Verdict::kBroken) return;
  const std::string what = reporter.quoted({upload->site.unit, upload->range}, "the tensor");
  findings::Finding finding = reporter.start(
      rule::kRule, upload->site,
      what + " is not in pinned memory: this copy blocks the host in spite of non_blocking");
  if (origin.loader.made_at != 0) {
    const dataflow::Site& loader = view.origins[origin.loader.made_at].site;
    finding.notes.push_back(
        {Reporter::range_of(loader), "the data loader does not pin what it yields"});
    finding.fix = "give the data loader pin_memory=True";
    finding.fix_its = pin_memory(loader, reporter);
  } else {
    add_origin_note(finding, what, upload->origin, dataflow::Place::cpu(), view);
    finding.fix = "make it with pinned memory, or call pin_memory() before";
  }
  reporter.add(std::move(finding));
}

}  // namespace

extern const Check kPageableCopy{&rule::kRule, on_event, nullptr};

}  // namespace placecheck::checks
