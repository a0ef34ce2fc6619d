// unchecked-launch: the status of a kernel launch is never checked.
#include "rules/unchecked_launch.h"

#include <algorithm>
#include <cctype>
#include <string>

#include "analyzer/checks/check.h"
#include "analyzer/checks/cuda_fixes.h"
#include "analyzer/checks/exported_work.h"

namespace placecheck::checks {
namespace {

namespace rule = rules::unchecked_launch;
using rules::Trait;

// `cudaGetLastError`, what the macros of libtorch expand to, and a project's own.
bool asks_for_error(std::string_view name) {
  std::string lower(ir::last_component(name));
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
  const auto has = [&](std::string_view part) { return lower.find(part) != std::string::npos; };
  const bool is_about_cuda = has("cuda") || has("launch") || has("kernel") || has("error");
  return has("lasterror") || has("synchronize") || (has("check") && is_about_cuda);
}

Trait is_checked(const dataflow::DeviceWorkEvent& work, const dataflow::View& view) {
  return is_called_on_the_way(asks_for_error, work.site, view) ? Trait::kYes : Trait::kNo;
}

void on_event(const dataflow::Event& event, const dataflow::View& view, Reporter& reporter) {
  const auto* work = std::get_if<dataflow::DeviceWorkEvent>(&event);
  // The other ways to launch return the error.
  if (!work || !view.exported || work->operation != "launch") return;
  if (rule::judge(is_checked(*work, view)) != rules::Verdict::kBroken) return;
  findings::Finding finding =
      reporter.start(rule::kRule, work->site, "the status of this launch is never checked");
  add_way(finding, view);
  finding.fix = "follow it with C10_CUDA_KERNEL_LAUNCH_CHECK()";
  finding.fix_its = add_statement_behind(work->site, "C10_CUDA_KERNEL_LAUNCH_CHECK();", reporter);
  if (!finding.fix_its.empty())
    add_include(finding, work->site, "c10/cuda/CUDAException.h", reporter);
  reporter.add_once(view.exported->key, std::move(finding));
}

}  // namespace

extern const Check kUncheckedLaunch{&rule::kRule, on_event, nullptr};

}  // namespace placecheck::checks
