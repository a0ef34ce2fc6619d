#include "analyzer/dataflow/activation.h"

#include <algorithm>
#include <ranges>

#include "analyzer/dataflow/conditions.h"
#include "analyzer/dataflow/dynamic.h"
#include "analyzer/dataflow/effects.h"
#include "analyzer/dataflow/identity.h"
#include "analyzer/dataflow/key_tables.h"
#include "analyzer/dataflow/scalars.h"
#include "analyzer/dataflow/trace.h"

namespace placecheck::dataflow {
namespace {

// Whether a value is the shape of a tensor, or a part of it: `x.shape`, `x.shape[2:]`, `x.size(0)`.
bool is_shape(const Activation& activation, ir::Register value) {
  const ir::Instruction* made = activation.find_definition(value);
  if (!made || made->opcode != ir::Opcode::kCall || made->call.arguments.empty()) return false;
  const std::vector<ir::Argument>& arguments = made->call.arguments;
  if (made->call.name == "object.item") return is_shape(activation, arguments[0].value);
  if (made->call.name == ".size") return true;
  if (made->call.name != "object.get" || arguments.size() < 2) return false;
  const ir::Instruction* name = activation.find_definition(arguments[1].value);
  const auto* text = name ? std::get_if<std::string>(&name->literal) : nullptr;
  return text && *text == "shape";
}

// Whether a condition compares the shapes of two tensors. Which tensors have the same one is not
// followed: a cache is asked so whether it fits.
bool compares_shapes(const Activation& activation, const ir::Instruction* condition) {
  if (!condition || (condition->call.name != "op.eq" && condition->call.name != "op.ne"))
    return false;
  return std::ranges::all_of(condition->call.arguments, [&](const ir::Argument& each) {
    return is_shape(activation, each.value);
  });
}

// Of a function; a long one, whose every call is checked by a macro, has very many blocks.
constexpr uint64_t kMaxBlockRuns = 4000;
constexpr uint64_t kMaxRunsPerBlock = 32;

bool is_scalar(const ir::Type& type) {
  return type.kind == ir::TypeKind::kBool || type.kind == ir::TypeKind::kInt ||
         type.kind == ir::TypeKind::kFloat || type.kind == ir::TypeKind::kString;
}

// As `char** argv` does.
bool leads_to_texts(const ir::Type& type) {
  return type.kind == ir::TypeKind::kPointer && type.arguments.size() == 1 &&
         type.arguments[0].kind == ir::TypeKind::kString;
}

// Registers are numbered through a function, and one block sets few of them. A set that was used is
// cleaned of those, so that running a block costs what the block is long, not the function.
class RegisterSets {
 public:
  // At least `count` registers, with nothing in them.
  std::vector<Value> take(size_t count) {
    std::vector<Value> set;
    if (!free_.empty()) {
      set = std::move(free_.back());
      free_.pop_back();
    }
    if (set.size() < count) set.resize(count);
    return set;
  }

  // `block`: the only one that has set any.
  void give_back(std::vector<Value> set, const ir::Block& block) {
    if (free_.size() == kMostKept) return;
    for (const ir::Instruction& each : block.instructions)
      if (each.result < set.size()) set[each.result] = Value();
    free_.push_back(std::move(set));
  }

 private:
  static constexpr size_t kMostKept = 16;
  std::vector<std::vector<Value>> free_;
};

thread_local RegisterSets register_sets;

}  // namespace

Activation::Activation(Engine& engine, const ir::Function& function, Entry& entry, Summary& summary)
    : engine_(engine),
      function_(function),
      layout_(engine.program_.layout(function)),
      entry_(entry),
      summary_(summary),
      is_dynamic_(is_dynamic(function)),
      seen_(function.blocks.size()) {
  const std::string& wanted = engine.options_.trace_function;
  bool named = function.name == wanted || function.name.ends_with("::" + wanted);
  traced_ = !wanted.empty() && named && engine.options_.trace;
  watched_ = traced_ || (engine.recorder_ && layout_.unit);
}

Activation::~Activation() {
  for (uint32_t block = 0; block < seen_.size(); ++block) release(block);
}

void Activation::run() {
  if (function_.blocks.empty()) return;
  State state = entry_.state;
  state.slots.assign(layout_.slots.size(), Value::none());
  enter_arguments(state);
  keep(0, {std::move(state), {}});
  const uint64_t most_runs = std::max(kMaxBlockRuns, kMaxRunsPerBlock * function_.blocks.size());
  while (!work_.empty()) {
    if (++block_runs_ > most_runs || engine_.is_exhausted()) {
      give_up();
      break;
    }
    auto [block, next] = take_due();
    release_before(block);
    run_block(block, std::move(next));
  }
  join_doubtful_exits();
}

void Activation::make_due(uint32_t block, Arrival& arrival) {
  arrival.is_due = true;
  work_.emplace(layout_.ranks[block], block);
}

std::pair<uint32_t, Activation::Arrival> Activation::take_due() {
  uint32_t block = work_.begin()->second;
  auto due = std::ranges::find_if(seen_[block], &Arrival::is_due);
  due->is_due = false;
  Arrival next = *due;
  if (std::ranges::none_of(due, seen_[block].end(), &Arrival::is_due)) work_.erase(work_.begin());
  return {block, std::move(next)};
}

void Activation::keep(uint32_t block, Arrival arrival) {
  arrival.bytes = arrival.state.bytes();
  engine_.kept_bytes_ += arrival.bytes;
  seen_[block].push_back(std::move(arrival));
  make_due(block, seen_[block].back());
}

void Activation::release(uint32_t block) {
  for (const Arrival& each : seen_[block]) engine_.kept_bytes_ -= each.bytes;
  std::vector<Arrival>().swap(seen_[block]);
}

void Activation::release_before(uint32_t block) {
  for (; released_ < layout_.by_last_rank.size(); ++released_) {
    const uint32_t done = layout_.by_last_rank[released_];
    if (layout_.last_ranks[done] >= layout_.ranks[block]) return;
    release(done);
  }
}

Name Activation::identity_of_parameter(const ir::Parameter& parameter) {
  const Name own = parameter_identity(parameter.name, function_.key, names());
  const bool is_called = engine_.depth_ > 1;
  return is_called ? lost_identity(own, names()) : own;
}

void Activation::enter_arguments(State& state) {
  for (size_t i = 0; i < function_.parameters.size(); ++i) {
    const ir::Parameter& parameter = function_.parameters[i];
    Value value = Value::unknown();
    if (i < entry_.arguments.size()) {
      value = entry_.arguments[i];
    } else if (const ir::Function* given =
                   program().find_function(parameter.default_function, unit())) {
      static const ir::Instruction kDefault;
      Exits exits = invoke(*given, {}, state, kDefault);
      if (!exits.empty()) {
        state = exits.front().state;
        value = exits.front().value;
      }
    }
    // Nothing is known of it but that it is itself.
    const bool is_nameless = value.is(ValueKind::kUnknown) && !value.is_opaque();
    if (is_nameless && (is_scalar(parameter.type) || leads_to_texts(parameter.type)))
      value = Value::symbol(name(parameter.name + "#" + std::to_string(name(function_.key))));
    else if (is_nameless && is_dynamic_)
      value = Value::opaque(identity_of_parameter(parameter));
    if (engine_.recorder_ && layout_.unit)
      engine_.recorder_->enter(function_, *layout_.unit, parameter, value, state,
                               engine_.depth_ == 1);
    value.bound = parameter.by_reference && value.is(ValueKind::kAddress);
    state.slots.set(slot_index(parameter.name), value);
  }
}

void Activation::run_block(uint32_t block, Arrival arrival) {
  turn_ = turn_of(block, arrival.state);
  std::vector<Frame> work;
  work.push_back({0, std::move(arrival.state), register_sets.take(layout_.definitions.size()),
                  std::move(arrival.turn)});
  while (!work.empty() && !engine_.is_exhausted()) {
    Frame frame = std::move(work.back());
    work.pop_back();
    step(block, std::move(frame), work);
  }
  if (!work.empty()) give_up();
}

void Activation::give_up() {
  engine_.note_too_large(function_);
  summary_.is_incomplete = true;
}

void Activation::step(uint32_t block, Frame frame, std::vector<Frame>& work) {
  const auto& instructions = function_.blocks[block].instructions;
  for (; frame.next < instructions.size(); ++frame.next) {
    const ir::Instruction& instruction = instructions[frame.next];
    ++engine_.steps_;
    switch (instruction.opcode) {
      case ir::Opcode::kCall:
        call(instruction, std::move(frame), work);
        return;
      case ir::Opcode::kJump:
        go_to(instruction.targets[0], {std::move(frame.state), std::move(frame.turn)}, block);
        register_sets.give_back(std::move(frame.registers), function_.blocks[block]);
        return;
      case ir::Opcode::kBranch:
        branch(instruction, block, frame);
        register_sets.give_back(std::move(frame.registers), function_.blocks[block]);
        return;
      case ir::Opcode::kReturn: {
        Value value =
            instruction.operands.empty() ? Value::none() : frame.registers[instruction.operands[0]];
        // A pointer that is returned is read: where it is kept may end here.
        const ir::Type& type = function_.result;
        const bool is_of_values = type.kind == ir::TypeKind::kPointer &&
                                  type.arguments.size() == 1 &&
                                  type.arguments[0].kind != ir::TypeKind::kPointer;
        if (value.is(ValueKind::kAddress) && is_of_values && frame.state.read(value).is_pointer())
          value = frame.state.read(value);
        if (function_.is_entry) leave_program(*this, frame.state, instruction.range);
        leave(std::move(frame.state), value);
        return;
      }
      case ir::Opcode::kRaise:
        summary_.raises = true;
        if (&function_ == engine_.exported_)
          engine_.note_raise(site(instruction.range), frame.state);
        return;
      default:
        execute(instruction, frame);
        if (watched_) watch(instruction, frame);
    }
  }
}

void Activation::watch(const ir::Instruction& instruction, Frame& frame) {
  const bool has_result = instruction.result != ir::kNoRegister;
  if (traced_ && has_result && instruction.opcode != ir::Opcode::kConst)
    trace(instruction, frame.registers[instruction.result], frame.state);
  if (engine_.recorder_ && layout_.unit)
    engine_.recorder_->after(function_, *layout_.unit, instruction, frame.registers, frame.state);
}

// `*p = tensor` where `p` was chosen, as in `Tensor* p = c ? &a : &b`: what the pointer leads to.
static Value pointed_target(const State& state, const Value& target, const Value& value) {
  const Value held = state.unboxed(target);
  const bool is_pointer = held.is(ValueKind::kAddress) && held.taken && !same(held, target);
  return is_pointer && value.is_tensor() ? held : target;
}

// `argv[1]`: a text that is itself each time it is read.
static std::optional<Value> text_at(const Value& pointer, const Value& position, Names& names) {
  if (!position.is(ValueKind::kInt) && !position.is(ValueKind::kSymbol)) return std::nullopt;
  const Name at =
      position.is(ValueKind::kInt) ? names.intern(std::to_string(position.number)) : position.name;
  return Value::symbol(names.term("element", {pointer.name, at}));
}

const ir::Type* Activation::type_of_loaded(ir::Register value) const {
  const ir::Instruction* load = find_definition(value);
  if (!load || load->opcode != ir::Opcode::kLoad) return nullptr;
  const auto slot = std::ranges::find(function_.slots, load->symbol, &ir::Slot::name);
  return slot == function_.slots.end() ? nullptr : &slot->type;
}

void Activation::trace(const ir::Instruction& instruction, const Value& result,
                       const State& state) {
  const ir::Range& range = instruction.range;
  std::string what =
      instruction.opcode == ir::Opcode::kCall ? instruction.call.name : instruction.symbol;
  engine_.options_.trace(std::to_string(range.line) + ":" + std::to_string(range.column) + ": " +
                         what + " = " + to_text(result, state, names()) +
                         doubts_text(state, names()));
}

void Activation::execute(const ir::Instruction& i, Frame& frame) {
  State& state = frame.state;
  auto operand = [&](size_t n) { return frame.registers[i.operands[n]]; };
  auto result = [&](const Value& value) {
    Value& target = frame.registers[i.result] = value;
    if (!i.taken) return;
    target.taken = target.is(ValueKind::kAddress);
    if (target.is_pointer()) target.path = 0;
  };
  switch (i.opcode) {
    case ir::Opcode::kConst:
      return result(literal_value(i.literal, names()));
    case ir::Opcode::kLoad:
      return result(identified(load_slot(state, i.symbol), i));
    case ir::Opcode::kStore:
      return store_slot(state, i.symbol, operand(0));
    case ir::Opcode::kBind: {
      Value address = operand(0);
      address.bound = address.is(ValueKind::kAddress);
      state.slots.set(slot_index(i.symbol), address);
      return;
    }
    case ir::Opcode::kRef:
      return result(address_of_slot(state, i.symbol));
    case ir::Opcode::kField:
      fill_element(state, operand(0));
      return result(field_address(state, operand(0), i.symbol));
    case ir::Opcode::kIndex:
      if (Value list = state.read(operand(0)); list.is(ValueKind::kParameters)) {
        const bool is_first = same(state.read(operand(1)), Value::integer(0));
        return result(is_first ? end_parameter_of(*this, state, list, /*last=*/false)
                               : parameter_of(*this, state, list.object));
      }
      if (const Value pointer = state.read(operand(0)); pointer.is(ValueKind::kSymbol)) {
        const ir::Type* type = type_of_loaded(i.operands[0]);
        const std::optional<Value> text = type && leads_to_texts(*type)
                                              ? text_at(pointer, state.read(operand(1)), names())
                                              : std::nullopt;
        if (text) return result(*text);
      }
      fill_member(state, operand(0), &i);
      fill_row(state, operand(0));
      separate_elements(state, operand(0), state.read(operand(1)));
      note_key(state, state.object_id_of(operand(0)), state.read(operand(1)), names());
      return result(element_address(state, operand(0), state.read(operand(1)), names()));
    case ir::Opcode::kAssign:
      host_access(*this, state, operand(0), i.range);
      return assign(state, pointed_target(state, operand(0), operand(1)), operand(1));
    case ir::Opcode::kCopy:
      if (operand(0).is_pointer() && operand(0).path == Value::kWithin) {
        host_access(*this, state, operand(0), i.range);
        return result(fresh_symbol(i, state));
      }
      return result(copy(state, operand(0), &i));
    case ir::Opcode::kClosure: {
      Object closure;
      closure.kind = ObjectKind::kClosure;
      closure.function = program().find_function(i.symbol, unit());
      if (!closure.function) closure.type_name = name(i.symbol);
      for (ir::Register capture : i.operands) closure.elements.push_back(frame.registers[capture]);
      ObjectId id = allocate(&i, 0);
      state.put(id, std::move(closure));
      return result(Value::object_ref(id));
    }
    case ir::Opcode::kExit: {
      Value value = load_slot(state, i.symbol);
      if (restore_device(state, value, names()))
        state.thread.released_at = origin(OriginKind::kNamed, i.range);
      else if (value.is(ValueKind::kDevice))
        leave_default_device(state, names());
      else
        destroy(state, value, i);
      return;
    }
    default:
      return;
  }
}

// Of destructors only those matter that change where something is: guards of the project's own. In
// Python it is the manager of a with-block that does.
void Activation::destroy(State& state, const Value& value, const ir::Instruction& instruction) {
  const Object* object = state.object_of(value);
  if (!object) return;
  if (!is_dynamic_ && object->kind == ObjectKind::kContainer)
    return destroy_elements(state, Object(*object), instruction);
  Exits exits;
  if (is_dynamic_) {
    const std::vector<Value> none;
    CallContext context{*this, state, instruction, none};
    exits = leave_block(context, value);
  } else if (object->type) {
    const ir::Function* destructor = program().find_destructor(*object->type);
    if (destructor) exits = invoke(*destructor, {value}, state, instruction);
  }
  if (!exits.empty()) state = std::move(exits.front().state);
  if (!is_dynamic_) destroy_guards(state, value);
}

// In the order in which a vector destroys them. How often that runs for what stands for several
// elements is not known.
void Activation::destroy_elements(State& state, const Object& container,
                                  const ir::Instruction& instruction) {
  for (const Value& element : container.elements) destroy(state, element, instruction);
  const Object* rest = container.open ? state.object_of(container.rest) : nullptr;
  if (rest && rest->type && program().find_destructor(*rest->type))
    havoc(instruction, {container.rest}, state, name("destroyed " + number_of(instruction)));
}

// The guards of devices that an object has as members end with it, the last one first.
void Activation::destroy_guards(State& state, const Value& value) {
  const Object* object = state.object_of(value);
  if (!object || !object->type || object->is_module()) return;
  for (const ir::Field& field : std::views::reverse(object->type->fields)) {
    const Value* member = object->find(name(field.name));
    if (member && field.type.kind == ir::TypeKind::kRecord) restore_device(state, *member, names());
  }
}

bool Activation::raises(uint32_t block) const {
  return function_.blocks[block].instructions.back().opcode == ir::Opcode::kRaise;
}

// Whether a condition is made of one whose answer was lost: `m.count(key) == 0`.
bool Activation::is_about_forgotten(const State& state, Name condition) {
  return std::ranges::any_of(state.forgotten, [&](Name each) {
    return each != condition && names().mentions(condition, each);
  });
}

void Activation::fill_texts(const ir::Instruction& branch, uint32_t head, State& state) {
  const auto texts = layout_.texts_of_loop.find(head);
  if (texts == layout_.texts_of_loop.end()) return;
  for (uint32_t slot : texts->second) {
    const Value text = state.slots[slot];
    if (text.is(ValueKind::kString) && names().text(text.name).empty())
      state.slots.set(slot, fresh_symbol(branch, state, "text" + std::to_string(slot)));
  }
}

void Activation::branch(const ir::Instruction& instruction, uint32_t block, Frame& frame) {
  Value condition = frame.state.read(frame.registers[instruction.operands[0]]);
  // A loop along a chain of objects ends some time.
  bool is_chain = instruction.loop && condition.is_object();
  if (std::optional<Name> is_null = null_test(frame.state, condition, names()))
    condition = Value::symbol(negated(*is_null, names()));
  if (is_dynamic_) condition = as_condition(condition, frame.state, instruction);
  std::optional<bool> value = is_chain ? std::nullopt : truth(condition);
  if (!value && is_device_count(condition, names())) value = assumed_devices() > 0;
  bool known = value.has_value();
  bool holds = value.value_or(false);
  std::optional<Condition> asked;
  std::optional<bool> assumed;
  if (!known && condition.is(ValueKind::kSymbol)) {
    asked = strip_negations(condition.name, names());
    assumed = decided(frame.state, asked->name, names());
  }
  // An earlier loop up to the same bound may have told how many turns there are. One up to the
  // number of devices is one over those that there are at least.
  const bool is_up_to_count = asked && names().mentions(asked->name, name(kDeviceCount));
  if (instruction.loop) consider_counting(block, known || assumed || is_up_to_count, frame);
  bool is_counted = instruction.loop && counts(block, frame.state);
  bool is_decision = !instruction.loop || is_counted;
  const bool is_sure = asked && holds_for_all(asked->name, names());
  // What was decided before the loop may say that it does not run.
  const bool is_entered = instruction.loop && !frame.turn.may_leave;
  const bool is_skipped =
      is_entered && assumed && *assumed != asked->holds && !is_up_to_count && !is_dynamic_;
  if (assumed && (is_decision || is_sure || is_skipped)) {
    known = true;
    holds = *assumed == asked->holds;
    frame.state.assume(asked->name, *assumed);  // also where it only follows from others
  }
  if (known && condition.asked && !instruction.loop) tell_failed_check(instruction, holds, frame);
  const ir::Instruction* written = find_definition(instruction.operands[0]);
  // `i < n && more()`: on this path the first operand is false, and no iteration follows.
  const bool is_short_circuit = written && written->opcode == ir::Opcode::kLoad;
  if (instruction.loop && !known && assumed && *assumed != asked->holds && is_short_circuit) {
    if (!frame.turn.may_leave) return;
    known = true;
  }
  if (asked && written)
    engine_.decisions_.try_emplace(asked->name, Decision{site(written->range), !asked->holds});
  if (instruction.loop && (holds || !known)) visit_last_device(instruction, block, frame);
  const bool is_about_old = asked && is_about_cache(asked->name, names());
  const bool is_lost =
      asked && (is_dynamic_ ? is_about_lost(asked->name, names()) || compares_shapes(*this, written)
                            : mentions_lost(asked->name, names()) ||
                                  is_about_forgotten(frame.state, asked->name));
  std::optional<uint32_t> last_counter;
  if (!known && is_counted && asked && has_had_all_devices(block, frame.state))
    last_counter = counter_up_to_count(block, frame.state, *asked);
  // The first iteration's number is below the bound; later ones ask that of their own numbers.
  const bool is_below_bound = is_entered && has_bound(block);
  for (bool taken : {true, false}) {
    if (known && holds != taken) continue;
    // A loop whose condition is not known runs at least once: the loops that prepare all elements
    // of something would otherwise seem to prepare none.
    if (!known && instruction.loop && !taken && !frame.turn.may_leave) continue;
    const bool is_beyond = !known && is_counted && taken == has_had_all_devices(block, frame.state);
    // The iteration with the number of devices comes before the loop ends.
    if (!taken && last_counter) continue;
    if (is_beyond && !last_counter) continue;
    State next = frame.state;
    if (last_counter) next.slots.set(*last_counter, Value::symbol(name(kDeviceCount)));
    // A check that nobody can decide is taken to be passed.
    const bool is_checked = raises(instruction.targets[taken ? 1 : 0]);
    // The only way out of a loop is taken in the end.
    const bool is_end = layout_.only_ways_out.contains({block, instruction.targets[taken ? 0 : 1]});
    if (!known && (is_about_old || (is_lost && !is_checked && !is_end))) next.lose(asked->name);
    // Whether anything raises is not known: what a handler does may never happen. Nor whether an
    // unknown value has a type that is no tensor's: that is followed only where a check asks for
    // it.
    const bool is_unlikely = !known && asked && taken == asked->holds;
    const bool asks_for_type = asked && names().is_term(asked->name, kIsOtherType);
    if (is_unlikely && asks_for_type && !is_checked) continue;
    if (!value && !instruction.loop && is_dynamic_ && !asks_for_type)
      doubt_tables_of_iterations(next, names());
    if (is_unlikely && !is_end && names().is_term(asked->name, kRaised)) next.doubts.give_up();
    const bool is_kept = is_decision || !taken || is_below_bound;
    if (!known && asked && is_kept) next.assume(asked->name, taken == asked->holds);
    Turn turn = frame.turn;
    if (!known) tell_last_turns(block, taken, turn);
    if (!known && instruction.loop && !taken) {
      fill_texts(instruction, block, next);
      end_counting(block, next);
    }
    go_to(instruction.targets[taken ? 0 : 1], {std::move(next), std::move(turn)}, block);
  }
}

// What is made in different turns of a loop, like the elements of a list that it fills, is not one
// object.
ObjectId Activation::allocate(const void* at, uint32_t ordinal, SiteId inner) {
  SiteId site = engine_.site_id({at, ordinal, inner, turn_});
  auto next = static_cast<ObjectId>(entry_.caller_ids.size() + summary_.sites.size());
  auto [known, is_new] = ids_.try_emplace(site, next);
  if (is_new) summary_.sites.push_back(site);
  return known->second;
}

uint32_t Activation::slot_index(const std::string& slot) const { return layout_.slots.at(slot); }

Value Activation::load_slot(State& state, const std::string& slot) {
  if (slot.starts_with("@")) {
    const Value* value = state.find_global(name(slot));
    return value ? (value->bound ? state.read(*value) : *value) : Value::unknown();
  }
  auto at = layout_.slots.find(slot);
  if (at == layout_.slots.end()) return Value::unknown();
  const Value& value = state.slots[at->second];
  if (!value.bound) return value;
  Value unbound = value;
  unbound.bound = false;
  // What a variable's box holds may itself be an address: a pointer. One step is the variable.
  if (!state.has(value.object)) return Value::unknown();
  const Object& object = state.object(value.object);
  if (value.path == Value::kBoxed && !object.elements.empty()) return object.elements[0];
  if (value.path == Value::kField) {
    const Value* field = object.find(value.name);
    return field ? *field : Value::unknown();
  }
  return state.read(unbound);
}

void Activation::store_slot(State& state, const std::string& slot, const Value& value) {
  if (slot.starts_with("@")) {
    Name global = name(slot);
    const Value* old = state.find_global(global);
    if (old && old->bound) {
      assign(state, *old, value);
    } else {
      state.set_global(global, value);
    }
    return;
  }
  auto at = layout_.slots.find(slot);
  if (at == layout_.slots.end()) return;
  Value old = state.slots[at->second];
  if (!old.bound) {
    Value unbound = value;
    unbound.bound = false;
    state.slots.set(at->second, unbound);
    return;
  }
  old.bound = false;
  assign(state, old, value);
}

Value Activation::address_of_slot(State& state, const std::string& slot) {
  bool is_global = slot.starts_with("@");
  Value content = Value::unknown();
  if (is_global) {
    if (const Value* value = state.find_global(name(slot))) content = *value;
  } else if (auto at = layout_.slots.find(slot); at != layout_.slots.end()) {
    content = state.slots[at->second];
  }
  if (content.bound) {
    content.bound = false;
    return content;
  }
  Object box;
  box.kind = ObjectKind::kBox;
  box.elements.push_back(content);
  const void* key = is_global ? static_cast<const void*>(&names().text(name(slot)))
                              : static_cast<const void*>(&layout_.slots.find(slot)->first);
  ObjectId id = allocate(key, 0);
  state.put(id, std::move(box));
  Value address = Value::address(id, Value::kBoxed);
  Value bound = address;
  bound.bound = true;
  if (is_global) {
    state.set_global(name(slot), bound);
  } else if (auto at = layout_.slots.find(slot); at != layout_.slots.end()) {
    state.slots.set(at->second, bound);
  }
  return address;
}

const ir::Instruction* Activation::find_definition(ir::Register value) const {
  return value < layout_.definitions.size() ? layout_.definitions[value] : nullptr;
}

const ir::Instruction* Activation::find_only_definition(const std::string& variable) const {
  const ir::Instruction* only = nullptr;
  for (const ir::Block& block : function_.blocks) {
    for (const ir::Instruction& each : block.instructions) {
      const bool sets = each.opcode == ir::Opcode::kStore || each.opcode == ir::Opcode::kBind;
      if (!sets || each.symbol != variable) continue;
      if (only) return nullptr;
      only = &each;
    }
  }
  return only ? find_definition(only->operands[0]) : nullptr;
}

Value Activation::fresh_symbol(const ir::Instruction& instruction, State& state,
                               const std::string& which) {
  Name symbol = name("<" + number_of(instruction) + which + ">");
  renew(symbol, state);
  return Value::symbol(symbol);
}

std::string Activation::number_of(const ir::Instruction& instruction) {
  return std::to_string(engine_.number_of(instruction));
}

void Activation::renew(Name symbol, State& state) {
  if (!renewed_.insert(symbol).second) state.age(symbol, names());
  state.forget(symbol, names());
}

Value Activation::symbolic(const ir::Type& type, Name label, State& state, const void* site,
                           uint32_t first) {
  uint32_t made = first;
  return engine_.symbolic(type, label, state, [&] { return allocate(site, made++); }, unit());
}

}  // namespace placecheck::dataflow
