// What the rules about meetings of values share: the two operands that conflict, and their wording.
#pragma once

#include <optional>
#include <string>

#include "analyzer/checks/check.h"
#include "rules/device_mismatch.h"

namespace placecheck::checks {

struct Conflict {
  const dataflow::Operand* first;  // the one on the CPU, where one is
  const dataflow::Operand* second;
};

// The first pair of operands that the operation certainly refuses.
std::optional<Conflict> find_conflict(const dataflow::MeetEvent& event);
// The one that a forward, or what it calls, put on a device that is written there.
const dataflow::Operand* hardcoded_operand(const Conflict& conflict, const dataflow::View& view);
// The one that came out of a file, onto the device that this was saved from.
const dataflow::Operand* loaded_operand(const Conflict& conflict, const dataflow::View& view);
std::string describe(const dataflow::MeetEvent& event, const dataflow::Operand& operand,
                     Reporter& reporter);
std::string mismatch_message(const dataflow::MeetEvent& event, const Conflict& conflict,
                             const dataflow::View& view, Reporter& reporter);
rules::OperandFact operand_fact(const dataflow::Operand& operand);
rules::device_mismatch::Mixing mixing_of(models::DeviceRule rule);
void add_evidence(findings::Finding& finding, const dataflow::MeetEvent& event,
                  const Conflict& conflict, const dataflow::View& view, Reporter& reporter);

}  // namespace placecheck::checks
