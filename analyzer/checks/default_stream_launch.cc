// default-stream-launch: an exported function gives work to the default stream instead of PyTorch's
// current one.
#include "rules/default_stream_launch.h"

#include "analyzer/checks/check.h"
#include "analyzer/checks/cuda_fixes.h"
#include "analyzer/checks/exported_work.h"

namespace placecheck::checks {
namespace {

namespace rule = rules::default_stream_launch;
using rules::Trait;
using Stream = dataflow::DeviceWorkEvent::Stream;

Trait is_default(Stream stream) {
  if (stream == Stream::kNone) return Trait::kUnknown;
  return stream == Stream::kDefault ? Trait::kYes : Trait::kNo;
}

void on_event(const dataflow::Event& event, const dataflow::View& view, Reporter& reporter) {
  const auto* work = std::get_if<dataflow::DeviceWorkEvent>(&event);
  if (!work || !view.exported) return;
  const std::vector<dataflow::Name> tensors = callers_tensors(*work);
  const Trait is_callers = tensors.empty() ? Trait::kNo : Trait::kYes;
  if (rule::judge(is_callers, is_default(work->stream)) != rules::Verdict::kBroken) return;
  findings::Finding finding = reporter.start(
      rule::kRule, work->site,
      what_runs(*work) + " runs on the default stream, which does not wait for the work on '" +
          parameter_of(tensors[0], view) + "' in PyTorch's current stream");
  add_way(finding, view);
  finding.fix = work->operation.starts_with("cublas")
                    ? "use at::cuda::getCurrentCUDABlasHandle(), or set the handle's stream to "
                      "at::cuda::getCurrentCUDAStream()"
                    : "give it to at::cuda::getCurrentCUDAStream()";
  if (work->is_kernel) {
    finding.fix_its = set_launch_stream(work->site, "at::cuda::getCurrentCUDAStream()", reporter);
    if (!finding.fix_its.empty())
      add_include(finding, work->site, "ATen/cuda/CUDAContext.h", reporter);
  }
  reporter.add_once(view.exported->key, std::move(finding));
}

}  // namespace

extern const Check kDefaultStreamLaunch{&rule::kRule, on_event, nullptr};

}  // namespace placecheck::checks
