// Writes down where each expression's value is, while the interpreter runs, for those who ask for
// it.
//
// One recorder belongs to one engine, on its thread. It reads states and registers; of a value
// whose place is not known it keeps in Value::gap why, which nothing else looks at: what is found
// is the same with and without it.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "analyzer/dataflow/events.h"
#include "analyzer/dataflow/place_table.h"
#include "analyzer/dataflow/state.h"

namespace placecheck::dataflow {

class PlaceRecorder {
 public:
  PlaceRecorder(const Names& names, const std::vector<Origin>& origins);

  // A parameter took its value. `is_root`: nothing in the program has given it.
  void enter(const ir::Function& function, const ir::Unit& unit, const ir::Parameter& parameter,
             Value& value, const State& state, bool is_root);
  // An instruction was executed; `registers` has its result.
  void after(const ir::Function& function, const ir::Unit& unit, const ir::Instruction& instruction,
             std::vector<Value>& registers, const State& state);
  // Of what a call that is not followed yields, or may have changed.
  GapId gap_of(const ir::Instruction& call, const ir::Unit& unit);

  PlaceTable& table() { return table_; }

 private:
  enum class GapKind : uint8_t {
    kNone,
    kJoined,
    kCall,       // a call is not followed
    kParameter,  // of a function that nothing calls
  };
  struct Gap {
    GapKind kind = GapKind::kNone;
    Site site;
    std::string about;  // the callee, or the parameter
  };
  // What matters of a function.
  struct Outline {
    // Addresses that are written to.
    std::unordered_map<ir::Register, const ir::Instruction*> targets;
    std::unordered_map<std::string_view, const ir::Slot*> slots;  // that its author wrote
    // Of what is converted where it stands, the result counts.
    std::unordered_set<const ir::Instruction*> converted;
    bool is_dynamic = false;  // types are known by values alone
  };
  // A value whose place is told, as a part of another or by itself.
  struct Part {
    Value decider;
    GapId gap = 0;
    std::string name;  // within a module: "head.weight"
  };
  class Collector;

  const Outline& outline_of(const ir::Function& function);
  const ir::Type* type_of(const Outline& outline, const ir::Instruction& instruction) const;
  bool shows(const Outline& outline, const ir::Instruction& instruction) const;
  void explain(const ir::Instruction& instruction, std::vector<Value>& registers,
               const State& state);
  GapId gap_at(const void* at, GapKind kind, Site site, std::string_view about);
  void record(const ir::Unit& unit, const ir::Range& range, const Value& value,
              const ir::Type* type, const State& state);
  DecidedPlace describe(const Part& part);
  std::string how_decided(const Part& part, const DecidedPlace& place);
  static std::string why_unknown(const Gap& gap);

  const Names& names_;
  const std::vector<Origin>& origins_;
  PlaceTable table_;
  std::vector<Gap> gaps_;                          // by GapId
  std::unordered_map<const void*, GapId> gap_of_;  // by instruction, or parameter
  std::unordered_map<const ir::Function*, Outline> outlines_;
  std::unordered_set<OriginId> settled_;  // by which a value was at a known place
};

}  // namespace placecheck::dataflow
