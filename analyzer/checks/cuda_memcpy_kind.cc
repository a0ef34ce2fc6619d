// cuda-memcpy-kind: a copy whose direction contradicts its pointers.
#include "rules/cuda_memcpy_kind.h"

#include "analyzer/checks/check.h"
#include "analyzer/checks/memory.h"

namespace placecheck::checks {
namespace {

namespace rule = rules::cuda_memcpy_kind;
using rule::Direction;

constexpr int64_t kDirections = 5;

// Both sides reach pinned memory, so that it fits any direction.
rules::DeviceFact fact_of_end(const dataflow::MemoryFact& memory) {
  return memory.is_pinned ? rules::DeviceFact::unknown() : fact_of(memory.place);
}

class Copy {
 public:
  Copy(const dataflow::MemoryCopyEvent& event, Direction direction, const dataflow::View& view,
       Reporter& reporter)
      : event_(event), direction_(direction), view_(view), reporter_(reporter) {}

  void judge() {
    rules::DeviceFact to = fact_of_end(event_.to);
    rules::DeviceFact from = fact_of_end(event_.from);
    if (rule::judge(to, from, direction_) != rules::Verdict::kBroken) return judge_owners(to, from);
    bool writes = event_.direction ? rule::writes_device(direction_) : true;
    bool reads = event_.direction ? rule::reads_device(direction_) : true;
    const bool is_to_broken = rule::judge_end(to, writes) == rules::Verdict::kBroken;
    const bool is_from_broken = rule::judge_end(from, reads) == rules::Verdict::kBroken;
    report(joined(is_to_broken ? of_destination(meant("writes", writes)) : "",
                  is_from_broken ? of_source(meant("reads", reads)) : ""),
           fix(to, from));
  }

 private:
  // A copy between devices says which ones these are.
  void judge_owners(rules::DeviceFact to, rules::DeviceFact from) {
    if (!event_.to_device || !event_.from_device) return;
    bool is_to_broken = is_of_another(to, *event_.to_device);
    bool is_from_broken = is_of_another(from, *event_.from_device);
    if (!is_to_broken && !is_from_broken) return;
    report(joined(is_to_broken ? of_destination(named("to", *event_.to_device)) : "",
                  is_from_broken ? of_source(named("from", *event_.from_device)) : ""),
           is_to_broken && is_from_broken ? "exchange the numbers of the devices, or the pointers"
                                          : "name the device on which each pointer was allocated");
  }

  std::string of_destination(const std::string& what) {
    return clause(event_.to, "the destination") + ", " + what;
  }

  std::string of_source(const std::string& what) {
    return clause(event_.from, "the source") + ", " + what;
  }

  static std::string joined(const std::string& to, const std::string& from) {
    return to.empty() || from.empty() ? to + from : to + "; " + from;
  }

  static bool is_of_another(rules::DeviceFact memory, const dataflow::Place& named) {
    return rule::judge_owner(memory, fact_of(named)) == rules::Verdict::kBroken;
  }

  std::string named(std::string_view direction, const dataflow::Place& device) {
    return "but " + event_.operation + " is told to copy " + std::string(direction) + " " +
           place_text(device, view_.names);
  }

  void report(std::string message, std::string fix) {
    findings::Finding finding = reporter_.start(rule::kRule, event_.site, std::move(message));
    for (const auto* end : {&event_.to, &event_.from})
      add_memory_note(finding, *end, event_.site, view_, reporter_);
    finding.predicted_error = rule::message();
    finding.fix = std::move(fix);
    reporter_.add(std::move(finding));
  }

  std::string clause(const dataflow::MemoryFact& end, std::string_view otherwise) {
    return memory_text(end, event_.site, otherwise, view_, reporter_);
  }

  std::string meant(std::string_view verb, bool on_device) {
    std::string by = event_.direction ? std::string(rule::name(direction_)) : event_.operation;
    std::string where = on_device ? "device" : "host";
    return "but " + by + " " + std::string(verb) + " " + where + " memory";
  }

  std::string fix(rules::DeviceFact to, rules::DeviceFact from) {
    std::string_view fitting = rule::fitting(to, from);
    if (!event_.direction) return "give pointers that cudaMalloc made, or use cudaMemcpy";
    if (fitting.empty()) return "use cudaMemcpyDefault, or the direction that fits the pointers";
    return "use " + std::string(fitting) + ", or exchange the pointers";
  }

  const dataflow::MemoryCopyEvent& event_;
  Direction direction_;
  const dataflow::View& view_;
  Reporter& reporter_;
};

void on_event(const dataflow::Event& event, const dataflow::View& view, Reporter& reporter) {
  const auto* copy = std::get_if<dataflow::MemoryCopyEvent>(&event);
  if (!copy) return;
  int64_t number = copy->direction.value_or(static_cast<int64_t>(Direction::kDeviceToDevice));
  if (number < 0 || number >= kDirections) return;
  if (is_of_other_compilation(copy->to, copy->site, view) ||
      is_of_other_compilation(copy->from, copy->site, view))
    return;
  Copy(*copy, static_cast<Direction>(number), view, reporter).judge();
}

}  // namespace

extern const Check kCudaMemcpyKind{&rules::cuda_memcpy_kind::kRule, on_event, nullptr};

}  // namespace placecheck::checks
