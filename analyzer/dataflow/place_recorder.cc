#include "analyzer/dataflow/place_recorder.h"

#include <algorithm>
#include <set>

#include "analyzer/dataflow/dynamic.h"

namespace placecheck::dataflow {
namespace {

// Of one value: lists and networks have many parts, at few places.
constexpr size_t kMostParts = 256;
constexpr unsigned kDeepestPart = 12;

bool may_have_place(const ir::Type& type) {
  return type.kind == ir::TypeKind::kUnknown || ir::has_place(type.kind) ||
         std::ranges::any_of(type.arguments, may_have_place);
}

// Where types are known, a value of unknown kind and unknown type is a number or a text, most
// likely.
const ir::Type kPlaceless{ir::TypeKind::kVoid, {}, {}};

// Results that a front end needs and nobody wrote: a loop's state, the parts of a pattern.
bool is_internal(const ir::Call& call) {
  return call.name.starts_with("loop.") || call.name == "object.part" ||
         (call.name.empty() && call.arguments.empty());
}

// What an implicit conversion makes something else of, `device` where options are asked for: it
// stands at the same place.
const ir::Instruction* converted_by(const ir::Instruction& conversion, const ir::Block& block) {
  bool converts = conversion.opcode == ir::Opcode::kCall && conversion.range.valid() &&
                  ir::has_place(conversion.call.type.kind);
  if (!converts || conversion.call.arguments.size() != 1) return nullptr;
  const ir::Instruction* given =
      ir::find_definition(block, conversion.call.arguments.front().value);
  return given && given->range == conversion.range ? given : nullptr;
}

bool is_slot_access(ir::Opcode opcode) {
  return opcode == ir::Opcode::kLoad || opcode == ir::Opcode::kRef ||
         opcode == ir::Opcode::kStore || opcode == ir::Opcode::kBind;
}

// In Python, `a.b = value` and `a[b] = value`, which yield nothing themselves.
bool is_set_call(const ir::Instruction& instruction) {
  return instruction.opcode == ir::Opcode::kCall &&
         (instruction.call.name == "object.set" || instruction.call.name == "object.set_item");
}

bool has_own_place(const Value& value) {
  return value.is_tensor() || value.is(ValueKind::kDevice) || value.is_pointer() ||
         value.is_handle() || (value.is(ValueKind::kOptions) && value.has_place);
}

// A place that needs a word on where it comes from: one that is not known, or known by name alone.
bool is_open(const Place& place) { return !place.is_known() || place.kind == PlaceKind::kChosen; }

bool lacks_place(const Value& value, const State& state) {
  Value content = state.read(value);
  if (content.is(ValueKind::kUnknown)) return true;
  if (!has_own_place(content)) return false;
  return is_open(state.place_of(content)) && state.decider_of(content).origin == 0;
}

GapId gap_in(const Value& value, const State& state) {
  if (GapId gap = state.decider_of(value).gap) return gap;
  if (GapId gap = state.read(value).gap) return gap;
  return value.gap;
}

std::string kind_of(const Value& value, const Names& names) {
  switch (value.kind) {
    case ValueKind::kTensor:
      return value.rank == Rank::kScalar ? "0-dim tensor" : "tensor";
    case ValueKind::kDevice:
      return "device";
    case ValueKind::kOptions:
      return "tensor options";
    case ValueKind::kPointer:
      return value.number == Value::kPinned ? "pinned memory" : "memory";
    case ValueKind::kHandle:
      return names.text(value.name);
    case ValueKind::kParameters:
      return "parameters";
    default:
      return {};
  }
}

std::string kind_of(const Object& object, const Names& names) {
  if (object.kind == ObjectKind::kTuple) return "tuple";
  if (object.kind == ObjectKind::kContainer)
    return object.is_map || !object.keys.empty() ? "map" : "list";
  std::string_view name = ir::last_component(names.text(object.type_name));
  if (!object.type && name.ends_with("Impl")) name.remove_suffix(4);
  return "module " + std::string(name);
}

// What made a place what it is, in words that go on with the place.
std::string_view words_of(OriginKind kind) {
  switch (kind) {
    case OriginKind::kCreated:
      return "created on ";
    case OriginKind::kMoved:
      return "moved to ";
    case OriginKind::kBuilt:
      return "built on ";
    case OriginKind::kLoaded:
      return "loaded onto ";
    case OriginKind::kYielded:
      return "yielded by the data loader, on ";
    case OriginKind::kComputed:
      return "computed on ";
    case OriginKind::kMet:
      return "used with a value on ";
    case OriginKind::kNamed:
      return "named: ";
    case OriginKind::kAllocated:
      return "allocated on ";
  }
  return "on ";
}

void locate(const Site& site, DecidedPlace& place) {
  if (!site.valid() || site.range.file >= site.unit->files.size()) return;
  place.file = site.unit->files[site.range.file];
  place.line = site.range.line;
  place.column = site.range.column;
}

void name_place(const Place& place, const Names& names, DecidedPlace& named) {
  named.place = readable_text(place, names);
  switch (place.kind) {
    case PlaceKind::kCpu:
      named.place_class = PlaceClass::kCpu;
      return;
    case PlaceKind::kCuda:
      named.place_class = PlaceClass::kCuda;
      named.index = std::max(place.index, -1);
      return;
    case PlaceKind::kChosen:
      named.place_class = PlaceClass::kSymbolic;
      return;
    case PlaceKind::kAlike:
      if (std::string subject = readable_symbol(place.symbol, names); !subject.empty()) {
        named.place_class = PlaceClass::kSymbolic;
        named.place = "wherever '" + subject + "' is";
        return;
      }
      break;
    default:
      break;
  }
  named.place_class = PlaceClass::kUnknown;
  named.place = "an unknown device";
}

}  // namespace

// The parts of a value that have a place.
class PlaceRecorder::Collector {
 public:
  Collector(const State& state, const Names& names) : state_(state), names_(names) {}

  void add(const Value& value, GapId gap, const std::string& name = {}, unsigned depth = 0) {
    if (parts_.size() >= kMostParts || depth > kDeepestPart) return;
    Value content = state_.read(value);
    if (GapId own = gap_in(value, state_)) gap = own;
    if (content.is(ValueKind::kUnknown)) {
      if (gap != 0) unfollowed_.push_back({content, gap, name});
    } else if (has_own_place(content)) {
      Value decider = state_.decider_of(content);
      if (decider.place.kind == PlaceKind::kCell) decider.place = Place::unknown();
      parts_.push_back({decider, gap, name});
    } else if (content.refers_to_object() && state_.has(content.object)) {
      add_object(content, gap, name, depth);
    } else {
      return;
    }
    if (depth == 0) what_ = what_of(content);
  }

  const std::string& what() const { return what_; }

  // Of those of one place, the first. What is not followed counts where nothing else does.
  std::vector<Part> take() {
    std::vector<Part> distinct;
    for (Part& part : parts_.empty() ? unfollowed_ : parts_) {
      bool is_known = std::ranges::any_of(
          distinct, [&](const Part& each) { return each.decider.place == part.decider.place; });
      if (!is_known) distinct.push_back(std::move(part));
    }
    if (distinct.size() == 1) distinct.front().name.clear();
    return distinct;
  }

 private:
  std::string what_of(const Value& content) const {
    bool is_object = content.is_object() && state_.has(content.object);
    return is_object ? kind_of(state_.object(content.object), names_) : kind_of(content, names_);
  }

  void add_object(const Value& content, GapId gap, const std::string& name, unsigned depth) {
    const Object& object = state_.object(content.object);
    switch (object.kind) {
      case ObjectKind::kModule:
        return add_module(content.object, gap, name, depth);
      case ObjectKind::kContainer:
      case ObjectKind::kTuple:
        for (const Value& element : object.elements) add(element, gap, name, depth + 1);
        if (object.open) add(object.rest, gap, name, depth + 1);
        return;
      default:
        return;
    }
  }

  void add_module(ObjectId id, GapId gap, const std::string& name, unsigned depth) {
    if (!modules_.insert(id).second) return;
    const Object& object = state_.object(id);
    const size_t before = parts_.size();
    const std::string prefix = name.empty() ? name : name + ".";
    for (const Registered& entry : object.registered) {
      const std::string part = prefix + names_.text(entry.name);
      add(entry.value, gap, part, depth + 1);
      for (const Value& child : entry.either) add(child, gap, part, depth + 1);
    }
    // Of which the parts are not known.
    if (object.complete || parts_.size() > before) return;
    Value state = Value::tensor(object.moved ? object.moved_to : Place::unknown());
    state.origin = object.origin;
    if (!object.moved && object.symbol != 0) state.place = Place::alike(object.symbol);
    parts_.push_back({state, gap, name});
  }

  const State& state_;
  const Names& names_;
  std::string what_;
  std::vector<Part> parts_;
  std::vector<Part> unfollowed_;
  std::set<ObjectId> modules_;
};

PlaceRecorder::PlaceRecorder(const Names& names, const std::vector<Origin>& origins)
    : names_(names), origins_(origins), gaps_(2) {
  gaps_[kJoinedGap].kind = GapKind::kJoined;
}

const PlaceRecorder::Outline& PlaceRecorder::outline_of(const ir::Function& function) {
  auto [at, is_new] = outlines_.try_emplace(&function);
  Outline& outline = at->second;
  if (!is_new) return outline;
  outline.is_dynamic = is_dynamic(function);
  for (const ir::Slot& slot : function.slots)
    if (slot.range.valid()) outline.slots.emplace(slot.name, &slot);
  for (const ir::Block& block : function.blocks) {
    for (const ir::Instruction& each : block.instructions) {
      if (const ir::Instruction* given = converted_by(each, block)) outline.converted.insert(given);
      if (each.opcode != ir::Opcode::kAssign) continue;
      const ir::Register target = each.operands[0];
      if (const ir::Instruction* address = ir::find_definition(block, target))
        outline.targets.emplace(target, address);
    }
  }
  return outline;
}

const ir::Type* PlaceRecorder::type_of(const Outline& outline,
                                       const ir::Instruction& instruction) const {
  if (instruction.opcode == ir::Opcode::kCall) return &instruction.call.type;
  auto slot = outline.slots.find(instruction.symbol);
  bool is_slot = is_slot_access(instruction.opcode) && slot != outline.slots.end();
  if (is_slot) return &slot->second->type;
  return outline.is_dynamic ? nullptr : &kPlaceless;
}

bool PlaceRecorder::shows(const Outline& outline, const ir::Instruction& instruction) const {
  if (!instruction.range.valid() || outline.converted.count(&instruction) != 0) return false;
  if (is_slot_access(instruction.opcode))
    return instruction.symbol.starts_with("@") || outline.slots.count(instruction.symbol) != 0;
  if (instruction.opcode == ir::Opcode::kCall) return !is_internal(instruction.call);
  return !ir::is_address(instruction.opcode) || outline.targets.count(instruction.result) == 0;
}

void PlaceRecorder::enter(const ir::Function& function, const ir::Unit& unit,
                          const ir::Parameter& parameter, Value& value, const State& state,
                          bool is_root) {
  const Object* object = state.object_of(value);
  const bool may_hold_more = object && (!object->complete || object->open);
  const GapId known = gap_in(value, state);
  // What a caller that is made up gives has a reason that is nowhere in the source.
  const bool is_made_up = known != 0 && !gaps_[known].site.valid();
  const bool needs_reason = lacks_place(value, state) || may_hold_more;
  if (needs_reason && (is_made_up || (known == 0 && is_root))) {
    const ir::Range& range = parameter.range.valid() ? parameter.range : function.range;
    value.gap = gap_at(&parameter, GapKind::kParameter, {&unit, range},
                       "'" + parameter.name + "' of '" + function.name + "'");
  }
  record(unit, parameter.range, value, &parameter.type, state);
}

void PlaceRecorder::after(const ir::Function& function, const ir::Unit& unit,
                          const ir::Instruction& instruction, std::vector<Value>& registers,
                          const State& state) {
  const Outline& outline = outline_of(function);
  switch (instruction.opcode) {
    case ir::Opcode::kStore:
    case ir::Opcode::kBind:
      if (shows(outline, instruction))
        record(unit, instruction.range, registers[instruction.operands[0]],
               type_of(outline, instruction), state);
      return;
    case ir::Opcode::kAssign:
      if (auto target = outline.targets.find(instruction.operands[0]);
          target != outline.targets.end())
        record(unit, target->second->range, registers[instruction.operands[1]],
               type_of(outline, *target->second), state);
      return;
    default:
      break;
  }
  if (instruction.result == ir::kNoRegister) return;
  explain(instruction, registers, state);
  if (!shows(outline, instruction)) return;
  // Of what nobody uses, nobody misses the place.
  if (instruction.call.discarded && lacks_place(registers[instruction.result], state)) return;
  if (is_set_call(instruction) && !instruction.call.arguments.empty())
    return record(unit, instruction.range, registers[instruction.call.arguments.back().value],
                  nullptr, state);
  record(unit, instruction.range, registers[instruction.result], type_of(outline, instruction),
         state);
}

// What an instruction makes of something unknown is unknown for the same reason.
void PlaceRecorder::explain(const ir::Instruction& instruction, std::vector<Value>& registers,
                            const State& state) {
  Value& made = registers[instruction.result];
  if (gap_in(made, state) != 0 || !lacks_place(made, state)) return;
  std::vector<ir::Register> operands = instruction.operands;
  for (const ir::Argument& each : instruction.call.arguments) operands.push_back(each.value);
  GapId reason = 0;
  for (ir::Register each : operands) {
    const Value& operand = registers[each];
    GapId gap = gap_in(operand, state);
    if (gap == 0) continue;
    if (reason == 0) reason = gap;
    if (!lacks_place(operand, state)) continue;
    reason = gap;
    break;
  }
  made.gap = reason;
}

GapId PlaceRecorder::gap_at(const void* at, GapKind kind, Site site, std::string_view about) {
  auto [known, is_new] = gap_of_.try_emplace(at, static_cast<GapId>(gaps_.size()));
  if (is_new) gaps_.push_back({kind, site, std::string(about)});
  return known->second;
}

GapId PlaceRecorder::gap_of(const ir::Instruction& call, const ir::Unit& unit) {
  std::string_view callee = call.call.name;
  while (callee.starts_with(".")) callee.remove_prefix(1);
  return gap_at(&call, GapKind::kCall, {&unit, call.range}, callee);
}

void PlaceRecorder::record(const ir::Unit& unit, const ir::Range& range, const Value& value,
                           const ir::Type* type, const State& state) {
  if (!range.valid() || range.file >= unit.files.size()) return;
  Collector collector(state, names_);
  collector.add(value, 0);
  for (const Part& part : collector.take()) {
    DecidedPlace place = describe(part);
    if (place.place_class == PlaceClass::kUnfollowed && type && !may_have_place(*type)) continue;
    table_.record(unit.files[range.file],
                  {range.line, range.column, range.end_line, range.end_column}, collector.what(),
                  table_.intern(place));
  }
}

std::string PlaceRecorder::why_unknown(const Gap& gap) {
  switch (gap.kind) {
    case GapKind::kJoined:
      return "it differs between the paths that lead here";
    case GapKind::kCall:
      return gap.about.empty() ? "an expression is not followed"
                               : "the call of '" + gap.about + "' is not followed";
    case GapKind::kParameter:
      return "parameter " + gap.about + ", of which no caller is known";
    case GapKind::kNone:
      break;
  }
  return {};
}

std::string PlaceRecorder::how_decided(const Part& part, const DecidedPlace& place) {
  const OriginId id = part.decider.origin;
  const bool is_known = place.place_class <= PlaceClass::kSymbolic;
  if (is_known)
    settled_.insert(id);
  else if (gaps_[part.gap].kind == GapKind::kJoined)
    return why_unknown(gaps_[part.gap]) + "; on one of them it was decided here";
  else if (settled_.count(id) != 0)
    return "it was decided here, and may have changed since";
  std::string text(words_of(origins_[id].kind));
  text += is_known ? place.place : "a device that is not known";
  return origins_[id].site.valid() ? text : text + ", as an assumed caller does";
}

DecidedPlace PlaceRecorder::describe(const Part& part) {
  DecidedPlace place;
  name_place(part.decider.place, names_, place);
  if (part.decider.is(ValueKind::kUnknown)) {
    place.place_class = PlaceClass::kUnfollowed;
    place.place = "not followed";
  }
  const bool is_known = place.place_class <= PlaceClass::kSymbolic;
  const Gap& gap = gaps_[part.gap];
  const bool has_own_reason = gap.kind == GapKind::kCall || gap.kind == GapKind::kParameter;
  if (part.decider.origin != 0 && (is_known || !has_own_reason)) {
    place.how = how_decided(part, place);
    locate(origins_[part.decider.origin].site, place);
  } else if (gap.kind != GapKind::kNone) {
    place.how = why_unknown(gap);
    locate(gap.site, place);
  }
  if (!part.name.empty()) place.how = "'" + part.name + "': " + place.how;
  return place;
}

}  // namespace placecheck::dataflow
