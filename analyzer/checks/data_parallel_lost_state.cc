// data-parallel-lost-state: what replicas write into their own state is lost with them.
#include "rules/data_parallel_lost_state.h"

#include <algorithm>
#include <map>
#include <set>

#include "analyzer/checks/check.h"
#include "analyzer/checks/member_writes.h"

namespace placecheck::checks {
namespace {

using dataflow::ObjectId;
using dataflow::ReplicateEvent;
namespace rule = rules::data_parallel_lost_state;

constexpr int kMaxDepth = 12;

// The modules of the project, and the running statistics of the library's, in the replicated one.
struct Parts {
  std::vector<const ir::Class*> classes;
  std::map<const ir::Class*, std::set<std::string>> buffers;
  std::vector<std::string> statistics;  // dotted names
};

bool keeps_statistics(const std::string& type) { return type.starts_with("torch::nn::BatchNorm"); }

void collect(const dataflow::View& view, ObjectId module, const std::string& path, int depth,
             Parts& parts) {
  if (depth > kMaxDepth || !view.state.has(module)) return;
  const dataflow::Object& object = view.state.object(module);
  if (object.type) {
    bool is_new =
        std::find(parts.classes.begin(), parts.classes.end(), object.type) == parts.classes.end();
    if (is_new) parts.classes.push_back(object.type);
    for (const dataflow::Registered& entry : object.registered)
      if (entry.kind == dataflow::RegisteredKind::kBuffer)
        parts.buffers[object.type].insert(view.names.text(entry.name));
  } else if (keeps_statistics(view.names.text(object.type_name))) {
    parts.statistics.push_back(path);
  }
  for (const dataflow::Registered& entry : object.registered) {
    if (entry.kind != dataflow::RegisteredKind::kModule) continue;
    ObjectId child = view.state.object_id_of(entry.value);
    const std::string& name = view.names.text(entry.name);
    if (child != dataflow::kNoObject)
      collect(view, child, path.empty() ? name : path + "." + name, depth + 1, parts);
  }
}

void report_writes(const ReplicateEvent& event, const ir::Class& type,
                   const std::set<std::string>& buffers, const dataflow::View& view,
                   Reporter& reporter) {
  for (const ir::Method& method : type.methods) {
    if (method.name != "forward") continue;
    const ir::Unit* home = view.program.program().unit_of(type);
    const ir::Function* forward = view.program.find_function(method.key, home);
    if (!forward || forward->is_partial) continue;
    MemberUse use = find_member_writes(*forward, view.program);
    for (const MemberWrite& write : use.writes) {
      if (write.is_in_place && event.shares_buffers && buffers.contains(write.member)) continue;
      bool kept = write.reads_old ||
                  is_mentioned_elsewhere(write.member, type, use.functions, view.program.program());
      rule::WriteFact fact{rules::Trait::kYes, rules::Trait::kYes,
                           kept ? rules::Trait::kYes : rules::Trait::kNo};
      if (rule::judge(fact) != rules::Verdict::kBroken) continue;
      findings::Finding finding =
          reporter.start(rule::kRule, {write.unit, write.range},
                         "'" + write.member +
                             "' is written by replicas, which are dropped after the forward: what "
                             "is written is lost");
      finding.notes.push_back({Reporter::range_of(event.site), "the module is replicated here"});
      finding.fix = "return what is needed with the output, and write the member after the call";
      reporter.add(std::move(finding));
    }
  }
}

void report_statistics(const ReplicateEvent& event, const Parts& parts, Reporter& reporter) {
  if (!event.is_training || parts.statistics.empty()) return;
  std::string name =
      parts.statistics.front().empty() ? "the module" : "'" + parts.statistics.front() + "'";
  size_t others = parts.statistics.size() - 1;
  std::string more = others == 0 ? "" : " and " + std::to_string(others) + " more";
  findings::Finding finding = reporter.start(
      rule::kRule, event.site,
      "the running statistics of " + name + more +
          " are updated in replicas, which are dropped: eval() will use the initial ones");
  finding.fix =
      "run the module once on a single device in training mode, or use a normalisation "
      "without running statistics";
  reporter.add(std::move(finding));
}

void on_event(const dataflow::Event& event, const dataflow::View& view, Reporter& reporter) {
  const auto* replicated = std::get_if<ReplicateEvent>(&event);
  if (!replicated) return;
  Parts parts;
  collect(view, replicated->module, "", 0, parts);
  if (!replicated->keeps_copies)
    for (const ir::Class* type : parts.classes)
      report_writes(*replicated, *type, parts.buffers[type], view, reporter);
  // Python's first replica shares its buffers with the module.
  if (!replicated->shares_buffers) report_statistics(*replicated, parts, reporter);
}

}  // namespace

extern const Check kDataParallelLostState{&rules::data_parallel_lost_state::kRule, on_event,
                                          nullptr};

}  // namespace placecheck::checks
