// device-mismatch: an operation, module call or loss combines values on different devices.
#include "rules/device_mismatch.h"

#include <algorithm>
#include <iterator>

#include "analyzer/checks/device_mismatch.h"
#include "analyzer/checks/operand_device_fix.h"
#include "analyzer/checks/ranks.h"
#include "analyzer/checks/witness.h"
#include "analyzer/dataflow/ranks.h"

namespace placecheck::checks {
namespace {

using dataflow::MeetEvent;
using dataflow::Operand;
using rules::device_mismatch::Mixing;

bool is_recurrent(std::string_view operation) {
  constexpr std::string_view kLayers[] = {"torch::nn::GRU::forward", "torch::nn::LSTM::forward",
                                          "torch::nn::RNN::forward"};
  return std::ranges::find(kLayers, operation) != std::end(kLayers);
}

// The hidden state is compared with the input before the parameters are: check_attributes() in
// aten/src/ATen/native/RNN.cpp.
std::string predicted_of_recurrent(const MeetEvent& event, const Operand& parameter) {
  std::vector<std::string> inputs;
  for (const Operand& each : event.operands)
    if (!each.is_module_state) inputs.push_back(rules::run_time_text(fact_of(each.place)));
  if (inputs.empty()) return "";
  const auto hidden = std::ranges::find_if(inputs, [&](const std::string& device) {
    return device != inputs.front() && device != rules::run_time_text({});
  });
  if (hidden != inputs.end())
    return rules::device_mismatch::recurrent_message(inputs.front(), "hidden", *hidden);
  return rules::device_mismatch::recurrent_message(inputs.front(), "parameter",
                                                   rules::run_time_text(fact_of(parameter.place)));
}

std::string predicted(const MeetEvent& event, const Operand& cpu, const Operand& other) {
  std::string a = rules::run_time_text(fact_of(cpu.place));
  std::string b = rules::run_time_text(fact_of(other.place));
  if (other.role == dataflow::kIndexRole) return rules::device_mismatch::index_message(a);
  if (cpu.role == dataflow::kIndexRole) return rules::device_mismatch::index_message(b);
  if (event.operation.find("Conv") != std::string::npos || event.operation.starts_with("conv")) {
    const std::string& input = cpu.is_module_state ? b : a;
    const std::string& weight = cpu.is_module_state ? a : b;
    bool kinds_differ = cpu.place.is_cpu() != other.place.is_cpu();
    if (kinds_differ) return rules::device_mismatch::convolution_message(input, weight);
  }
  if (is_recurrent(event.operation))
    return predicted_of_recurrent(event, cpu.is_module_state ? cpu : other);
  if (event.operation == "backward") {
    const bool is_output = &cpu == &event.operands.front();
    return rules::device_mismatch::gradient_message(is_output ? a : b, is_output ? b : a);
  }
  return rules::device_mismatch::message(b, a);
}

}  // namespace

Mixing mixing_of(models::DeviceRule rule) {
  switch (rule) {
    case models::DeviceRule::kCopy:
    case models::DeviceRule::kNone:
      return Mixing::kAnywhere;
    case models::DeviceRule::kExactSame:
      return Mixing::kExact;
    default:
      return Mixing::kCpuScalars;
  }
}

rules::OperandFact operand_fact(const Operand& operand) {
  rules::OperandFact fact;
  fact.role = operand.is_written ? rules::Role::kOutput : rules::Role::kInput;
  fact.device = fact_of(operand.place);
  fact.zero_dim = operand.rank == dataflow::Rank::kScalar ? rules::Trait::kYes
                  : dataflow::is_non_scalar(operand.rank) ? rules::Trait::kNo
                                                          : rules::Trait::kUnknown;
  return fact;
}

std::optional<Conflict> find_conflict(const MeetEvent& event) {
  Mixing mixing = mixing_of(event.rule);
  for (const Operand& a : event.operands) {
    for (const Operand& b : event.operands) {
      // Where both are on GPUs, the unregistered member is taken to be on the wrong one.
      const bool is_first = a.stray == b.stray ? &a < &b : a.stray;
      bool ordered = a.place.is_cpu() || (is_first && !b.place.is_cpu());
      if (!ordered || &a == &b) continue;
      rules::Verdict verdict =
          rules::device_mismatch::judge(operand_fact(a), operand_fact(b), mixing);
      if (verdict == rules::Verdict::kBroken) return Conflict{&a, &b};
    }
  }
  return std::nullopt;
}

namespace {

// Whether what is written there holds the operand and others.
bool is_part(const MeetEvent& event, const Operand& operand, Reporter& reporter) {
  const dataflow::Site site{event.site.unit, operand.range};
  return operand.range.valid() && (operand.is_part || is_spread(site, reporter.source_of(site)));
}

}  // namespace

std::string describe(const MeetEvent& event, const Operand& operand, Reporter& reporter) {
  if (!operand.description.empty()) return operand.description;
  std::string_view otherwise = operand.is_module_state                ? "the module"
                               : operand.role == dataflow::kIndexRole ? "an index"
                                                                      : "an operand";
  const std::string written = reporter.quoted({event.site.unit, operand.range}, otherwise);
  return is_part(event, operand, reporter) ? "an element of " + written : written;
}

std::string mismatch_message(const MeetEvent& event, const Conflict& conflict,
                             const dataflow::View& view, Reporter& reporter) {
  const std::string first = describe(event, *conflict.first, reporter);
  const std::string second = describe(event, *conflict.second, reporter);
  const bool are_parts = is_part(event, *conflict.first, reporter) && first == second;
  return first + " is on " + place_text(conflict.first->place, view.names) + " but " +
         (are_parts ? "another" : second) + " is on " +
         place_text(conflict.second->place, view.names);
}

void add_evidence(findings::Finding& finding, const MeetEvent& event, const Conflict& conflict,
                  const dataflow::View& view, Reporter& reporter) {
  for (const Operand* operand : {conflict.first, conflict.second}) {
    add_origin_note(finding, describe(event, *operand, reporter), operand->origin, operand->place,
                    view);
  }
  if (!event.inner.empty()) {
    finding.notes.push_back({Reporter::range_of(event.inner.back()), "they meet here"});
  }
  finding.predicted_error = predicted(event, *conflict.first, *conflict.second);
}

namespace {

// `has_edit`: the words say what that does.
std::string fix_for(const MeetEvent& event, const Conflict& conflict, bool has_edit,
                    const dataflow::View& view, Reporter& reporter) {
  const auto [moved, kept] = has_edit ? moved_and_kept(conflict) : conflict;
  if (is_in_second_replica(view))
    return "take the device from the module's input, or register the tensor as a buffer";
  std::string target = place_text(kept->place, view.names);
  if (was_left_behind(*moved, *kept, view))
    return "ask the module for its buffer again: the one that was kept did not move with it";
  if (moved->is_module_state) return "move the module to " + target + " before this call";
  return "move " + describe(event, *moved, reporter) + " to " + target + " before this operation";
}

void on_host_operand(const dataflow::HostOperandEvent& event, const dataflow::View& view,
                     Reporter& reporter) {
  namespace rule = rules::device_mismatch;
  const dataflow::Site operand{event.site.unit, event.range};
  const bool is_named = !event.parameter.empty();
  const std::string name =
      reporter.quoted(operand, is_named ? "'" + event.parameter + "'" : "the tensor");
  const std::string taken =
      is_named ? "its " + event.parameter + " on the CPU" : "tensors of the CPU only";
  findings::Finding finding =
      reporter.start(rule::kRule, event.site,
                     name + " is on " + place_text(event.place, view.names) + ", and " +
                         event.operation + "() takes " + taken);
  add_origin_note(finding, name, event.origin, event.place, view);
  const std::string device = rules::run_time_text(fact_of(event.place));
  finding.predicted_error = std::string(rule::kPinnedMessage);
  if (event.parameter == "lengths") finding.predicted_error = rule::lengths_message(device);
  if (event.parameter == "new_state") finding.predicted_error = rule::kGeneratorStateMessage;
  finding.fix = is_named ? "leave them on the CPU, or pass " + event.parameter + ".cpu()"
                         : "pin it on the CPU, before it is moved";
  if (is_named && event.range.valid()) finding.fix_its = add_suffix(operand, ".cpu()", reporter);
  reporter.add(std::move(finding));
}

// One operand is on the same device in each process, the other on that of the process's rank: they
// agree for one rank only.
std::optional<Conflict> find_rank_conflict(const MeetEvent& event, const dataflow::View& view) {
  const bool is_apart = dataflow::has_several_ranks(view.state, view.names) &&
                        !is_of_one_rank(view) && mixing_of(event.rule) != Mixing::kAnywhere;
  if (!is_apart) return std::nullopt;
  for (const Operand& a : event.operands) {
    for (const Operand& b : event.operands) {
      if (dataflow::differ_by_rank(a.place, b.place, view.names)) return Conflict{&a, &b};
    }
  }
  return std::nullopt;
}

void report_rank_conflict(const MeetEvent& event, const Conflict& conflict,
                          const dataflow::View& view, Reporter& reporter) {
  if (reporter.is_explained(conflict.first->origin)) return;
  const std::string first = describe(event, *conflict.first, reporter);
  const std::string second = describe(event, *conflict.second, reporter);
  findings::Finding finding = reporter.start(
      rules::device_mismatch::kRule, event.site,
      first + " is on " + place_text(conflict.first->place, view.names) + " in each process, but " +
          second + " is on the GPU of the process's rank");
  add_evidence(finding, event, conflict, view, reporter);
  finding.predicted_error = rules::device_mismatch::message("cuda:1", "cuda:0");
  finding.fix = "call torch.cuda.set_device(local_rank) first, or move " + first +
                " to the device of " + second;
  reporter.add(std::move(finding));
}

void on_gathered(const dataflow::GatherEvent& event, const dataflow::View& view,
                 Reporter& reporter) {
  namespace rule = rules::device_mismatch;
  if (rule::judge_gathered(fact_of(event.place)) != rules::Verdict::kBroken) return;
  findings::Finding finding =
      reporter.start(rule::kRule, event.site,
                     "the replicas return a tensor on " + place_text(event.place, view.names) +
                         ", and only tensors on GPUs are gathered");
  add_origin_note(finding, "the tensor", event.origin, event.place, view);
  finding.predicted_error =
      std::string(event.is_by_libtorch ? rule::kGatherMessageInCpp : rule::kGatherMessage);
  finding.fix = "return it where the replica computed it, and move what was gathered";
  reporter.add(std::move(finding));
}

void on_event(const dataflow::Event& event, const dataflow::View& view, Reporter& reporter) {
  if (const auto* host = std::get_if<dataflow::HostOperandEvent>(&event))
    return on_host_operand(*host, view, reporter);
  if (const auto* gathered = std::get_if<dataflow::GatherEvent>(&event))
    return on_gathered(*gathered, view, reporter);
  const MeetEvent* meet = std::get_if<MeetEvent>(&event);
  if (!meet) return;
  std::optional<Conflict> conflict = find_conflict(*meet);
  if (!conflict) {
    const std::optional<Conflict> of_ranks = find_rank_conflict(*meet, view);
    if (of_ranks) report_rank_conflict(*meet, *of_ranks, view, reporter);
    return;
  }
  if (reporter.is_explained(conflict->first->origin)) return;
  findings::Finding finding = reporter.start(rules::device_mismatch::kRule, meet->site,
                                             mismatch_message(*meet, *conflict, view, reporter));
  add_evidence(finding, *meet, *conflict, view, reporter);
  if (!is_in_second_replica(view))
    finding.fix_its = put_on_other_device(*meet, *conflict, view, reporter);
  finding.fix = fix_for(*meet, *conflict, !finding.fix_its.empty(), view, reporter);
  reporter.add(std::move(finding));
}

}  // namespace

extern const Check kDeviceMismatch{&rules::device_mismatch::kRule, on_event, nullptr};

}  // namespace placecheck::checks
