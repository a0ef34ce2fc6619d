// async-copy-read: what an asynchronous copy from a device writes is read before anything waited.
#include "rules/async_copy_read.h"

#include "analyzer/checks/check.h"

namespace placecheck::checks {
namespace {

namespace rule = rules::async_copy_read;

void on_event(const dataflow::Event& event, const dataflow::View&, Reporter& reporter) {
  const auto* read = std::get_if<dataflow::EarlyReadEvent>(&event);
  if (!read || rule::judge(rules::Trait::kYes, rules::Trait::kNo) != rules::Verdict::kBroken)
    return;
  std::string what = reporter.quoted({read->site.unit, read->range}, "the copy");
  findings::Finding finding =
      reporter.start(rule::kRule, read->site,
                     what + " is read here, but the copy from the device may not have arrived yet");
  if (read->copied_at.valid())
    finding.notes.push_back(
        {Reporter::range_of(read->copied_at), "the copy starts here and is not waited for"});
  finding.fix =
      "wait for the copy's stream first, such as with cudaStreamSynchronize, or copy "
      "without non_blocking";
  reporter.add(std::move(finding));
}

}  // namespace

extern const Check kAsyncCopyRead{&rule::kRule, on_event, nullptr};

}  // namespace placecheck::checks
