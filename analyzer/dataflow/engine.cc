#include "analyzer/dataflow/engine.h"

#include <algorithm>

#include "analyzer/dataflow/activation.h"
#include "analyzer/dataflow/dynamic.h"
#include "analyzer/dataflow/effects.h"
#include "analyzer/dataflow/prototype.h"
#include "analyzer/dataflow/relevance.h"

namespace placecheck::dataflow {
namespace {

// About half a gigabyte.
constexpr uint64_t kMaxKeptObjects = 1'000'000;

// Where more would be too many to follow every path.
constexpr size_t kStatesOfLargePrograms = 2;

// Steps of an entry point behind which fewer paths are kept apart, and how many: large programs are
// followed to their ends, if less closely.
struct Crowding {
  uint64_t steps;
  size_t states;
};
constexpr Crowding kCrowdings[] = {{1'000'000, 3}, {250'000, 6}};

// Of programs in which calls and attributes are decided by values.
constexpr size_t kStatesWithoutTypes = 6;
constexpr uint64_t kBudgetShareWithoutTypes = 4;
constexpr uint32_t kContextsWithoutTypes = 16;

bool is_module_forward(const ir::Function& function, const Entry& entry) {
  if (function.kind != ir::FunctionKind::kMethod || entry.arguments.empty()) return false;
  const Object* self = entry.state.object_of(entry.arguments[0]);
  return self && self->is_module() && function.name.ends_with("::forward");
}

void add_to(HoldsAt& all, const HoldsAt& more) {
  for (const auto& [file, sites] : more) {
    for (const auto& [site, holds] : sites) all[file][site] |= holds;
  }
}

}  // namespace

void Coverage::add(const Coverage& other) {
  add_to(operations, other.operations);
  add_to(launches, other.launches);
  exported.insert(other.exported.begin(), other.exported.end());
  for (const auto& [name, count] : other.unmodelled) unmodelled[name] += count;
  too_large.insert(other.too_large.begin(), other.too_large.end());
}

Engine::Engine(const ir::Program& program, EngineOptions options, Observer observer)
    : program_(program),
      options_(std::move(options)),
      observer_(std::move(observer)),
      global_use_(program, names_, options_.models != nullptr),
      relevant_(functions_that_concern_places(program)) {
  is_dynamic_ = dataflow::is_dynamic(program);
  if (is_dynamic_) {
    // Each step does more where names are looked up, and classes hold the parts of whole networks.
    options_.states_per_block = std::min<size_t>(options_.states_per_block, kStatesWithoutTypes);
    options_.contexts_without_places =
        std::max(options_.contexts_without_places, kContextsWithoutTypes);
    options_.step_budget /= kBudgetShareWithoutTypes;
    options_.program_budget /= kBudgetShareWithoutTypes;
  }
  root_budget_ = options_.step_budget;
  Followed followed = followed_in(program);
  follows_setup_ = followed.setup;
  starts_processes_ = followed.processes;
  follows_modes_ = followed.modes;
  spells_prefix_ = followed.prefixes;
  if (followed.peers || options_.shares_peer_memory) peers_.assume_all();
  for (const ir::Instruction* call : followed.peer_calls) peers_.expect(*call);
  pins_memory_ = followed.pins;
  if (options_.record_places) recorder_ = std::make_unique<PlaceRecorder>(names_, origins_);
}

Engine::~Engine() = default;

uint32_t Engine::number_of(const ir::Instruction& instruction) {
  return numbers_.try_emplace(&instruction, static_cast<uint32_t>(numbers_.size() + 1))
      .first->second;
}

SiteId Engine::site_id(const AllocationSite& site) {
  return sites_.try_emplace(site, static_cast<SiteId>(sites_.size() + 1)).first->second;
}

OriginId Engine::add_origin(OriginKind kind, Site site) {
  Origin origin;
  origin.kind = kind;
  origin.site = site;
  return add_origin(origin);
}

OriginId Engine::add_origin(Origin origin) {
  origins_.push_back(origin);
  return static_cast<OriginId>(origins_.size() - 1);
}

void Engine::notify(const Event& event, const State& state, const ir::Function* function,
                    const Summary* activation) {
  const uint64_t number = activation ? activation->number : 0;
  observer_(event, View{state, number, names_, origins_, program_, function, forwards_ > 0,
                        decisions_, exported_, is_later_call_, calls_});
}

void Engine::settle() {
  if (!coverage_.too_large.empty()) peers_.assume_all();
  const State nothing;
  for (MemoryUseEvent& event : peers_.take_held()) {
    event.shared = peers_.reaches(event.current, event.memory.place);
    notify(event, nothing, nullptr);
  }
}

// What it costs to run it is next to nothing.
static bool is_accessor(const ir::Function& function) {
  const auto is_call = [](const ir::Instruction& each) { return each.opcode == ir::Opcode::kCall; };
  return function.blocks.size() == 1 &&
         std::ranges::none_of(function.blocks[0].instructions, is_call);
}

const Summary* Engine::summarize(const ir::Function& function, Entry& entry) {
  uint64_t key = hash(entry) * 31 + reinterpret_cast<uintptr_t>(&function);
  auto& candidates = summaries_[key];
  for (const auto& candidate : candidates) {
    if (same(candidate->entry, entry)) return candidate->in_progress ? nullptr : candidate.get();
  }
  steps_ += entry.state.object_count();
  visited_.insert(&function);
  uint32_t& contexts = contexts_[&function];
  bool is_relevant = relevant_.count(&function) != 0;
  // Without types, whatever is given a tensor may hand it on.
  const bool hands_on = is_dynamic_ && !entry.inputs.empty();
  if (!is_relevant && !hands_on && !is_accessor(function) &&
      contexts >= options_.contexts_without_places)
    return nullptr;
  if (depth_ >= options_.call_depth || is_exhausted() ||
      contexts >= options_.contexts_per_function) {
    note_too_large(function);
    return nullptr;
  }
  ++contexts;
  evict_summaries();
  auto& kept = summaries_[key];
  kept.push_back(std::make_unique<Summary>());
  kept.back()->number = ++summaries_made_;
  Summary& summary = *kept.back();
  summary.entry = entry;
  bool is_forward = is_module_forward(function, entry);
  ++depth_;
  ++running_[&function];
  forwards_ += is_forward;
  Activation(*this, function, summary.entry, summary).run();
  --running_[&function];
  --depth_;
  forwards_ -= is_forward;
  for (Exit& exit : summary.exits) {
    exit.made = made_symbols(summary.entry, exit.state, exit.value, names_);
    drop_private_decisions(summary.entry, exit.state, exit.value, exit.made, names_);
  }
  summary.in_progress = false;
  kept_objects_ += entry.state.object_count();
  for (const Exit& exit : summary.exits) kept_objects_ += exit.state.object_count();
  return &summary;
}

void Engine::note_too_large(const ir::Function& function) {
  const ir::Unit* unit = program_.unit_of(function);
  std::string file = unit ? unit->files[function.range.file] : "";
  coverage_.too_large.emplace(std::move(file), function.range.line, function.name);
}

size_t Engine::states_per_block() const {
  for (const Crowding& each : kCrowdings) {
    if (steps_ >= each.steps) return std::min(each.states, options_.states_per_block);
  }
  return options_.states_per_block;
}

void Engine::evict_summaries() {
  if (kept_objects_ < kMaxKeptObjects) return;
  for (auto& [key, summaries] : summaries_) {
    std::erase_if(summaries, [](const auto& summary) { return !summary->in_progress; });
  }
  std::erase_if(summaries_, [](const auto& entry) { return entry.second.empty(); });
  kept_objects_ = 0;
}

const Summary* Engine::run_root(const ir::Function& function, const State& state,
                                const std::vector<Value>& arguments, uint64_t least) {
  total_steps_ += steps_;
  steps_ = 0;
  contexts_.clear();
  const bool is_program_exhausted = total_steps_ >= options_.program_budget;
  root_budget_ = is_program_exhausted ? least : options_.step_budget;
  if (root_budget_ == 0) {
    note_too_large(function);
    return nullptr;
  }
  Entry entry = entry_of(function, state, arguments);
  if (!is_dynamic_) return summarize(function, entry);
  auto too_large = coverage_.too_large;
  const Summary* summary = summarize(function, entry);
  if (!is_exhausted()) return summary;
  // Once more with few paths apart. What was found before stands: it comes from exact states.
  steps_ = 0;
  contexts_.clear();
  summaries_.clear();
  kept_objects_ = 0;
  coverage_.too_large = std::move(too_large);
  const size_t states = std::exchange(options_.states_per_block, kStatesOfLargePrograms);
  summary = summarize(function, entry);
  options_.states_per_block = states;
  return summary;
}

// The device that a function has selected for good.
static std::optional<DeviceLeftEvent> device_left(const Site& site, const State& state) {
  const ThreadState& thread = state.thread;
  if (thread.device_is_callers || thread.is_guarded || thread.selected_at == 0) return std::nullopt;
  return DeviceLeftEvent{site, thread.current_device, thread.selected_at};
}

void Engine::note_raise(const Site& site, const State& state) {
  std::optional<DeviceLeftEvent> left = device_left(site, state);
  if (!left) return;
  left->raises = true;
  raises_.emplace_back(*left, state);
}

// Whether a variable of the program, or what it holds itself, is other than at the start.
static bool changes_globals(const State& start, const State& end) {
  return std::ranges::any_of(end.globals, [&](const auto& each) {
    const Value* before = start.find_global(each.first);
    if (!before || !same(*before, each.second)) return true;
    const ObjectId held = end.object_id_of(each.second);
    return held != kNoObject && (!start.has(held) || start.share(held) != end.share(held));
  });
}

// The states in which a function with that summary is called again in the same way.
static std::vector<State> states_of_later_calls(const Summary& summary) {
  constexpr size_t kMost = 2;
  std::vector<State> states;
  for (const Exit& exit : summary.exits) {
    if (states.size() == kMost || !changes_globals(summary.entry.state, exit.state)) continue;
    states.push_back(exit.state);
    states.back().slots = summary.entry.state.slots;
    states.back().thread = summary.entry.state.thread;
  }
  return states;
}

void Engine::run_exported(const ir::Function& function, const State& state,
                          const std::vector<Value>& arguments) {
  exported_ = &function;
  raises_.clear();
  if (const Summary* summary = run_root(function, state, arguments, options_.export_budget)) {
    const Site site{program_.unit_of(function), function.range};
    for (const Exit& exit : summary->exits) {
      if (auto left = device_left(site, exit.state)) notify(*left, exit.state, &function);
    }
    for (const auto& [left, at_raise] : raises_) notify(left, at_raise, &function);
    const std::vector<Value> again = summary->entry.arguments;
    is_later_call_ = true;
    for (const State& later : states_of_later_calls(*summary))
      run_root(function, later, again, options_.export_budget);
    is_later_call_ = false;
  }
  exported_ = nullptr;
}

void Engine::note_saved_file(const std::string& slot, SavedValue record, const Site& site,
                             bool is_exact) {
  const auto& units = program_.program().units;
  const auto unit = std::ranges::find(units, site.unit);
  if (unit == units.end()) return;
  SavedFile file{std::move(record), static_cast<size_t>(unit - units.begin()), site.range,
                 is_exact};
  auto [known, is_new] = files_.saved.try_emplace(slot, file);
  if (is_new || (known->second.is_exact && !is_exact)) return;
  if (is_exact && !known->second.is_exact) {
    known->second = std::move(file);
    files_.unclear.erase(slot);
  } else if (std::optional<SavedValue> common = common_part(known->second.record, file.record)) {
    known->second.record = std::move(*common);
  } else {
    files_.unclear.insert(slot);
  }
}

Entry Engine::entry_of(const ir::Function& function, const State& state,
                       const std::vector<Value>& arguments) const {
  return make_entry(
      state, arguments, names_, [&](Name global) { return global_use_.may_use(function, global); },
      global_use_.may_call_unseen(function));
}

State Engine::initial_state() {
  State state;
  if (options_.visible) {
    state.setup.list = DeviceSetup::List::kSet;
    state.setup.visible = names_.intern(*options_.visible);
  }
  for (const FoundFile& file : options_.files) {
    const OriginId saved_at = add_origin(OriginKind::kLoaded, {file.unit, file.range});
    state.set_global(names_.intern(file.slot), restored(state, names_, file.record, saved_at));
  }
  auto allocate = [&] { return state.object_count(); };
  for (const ir::Unit* unit : program_.program().units) {
    // One that is defined elsewhere has one value, though not a known one.
    for (const ir::Global& global : unit->globals) {
      Name slot = names_.intern(global.slot);
      if (!global.initializer.empty() || state.find_global(slot)) continue;
      Name label = names_.intern(global.name + "#" + std::to_string(slot));
      state.set_global(slot, symbolic(global.type, label, state, allocate, unit));
    }
  }
  for (const ir::Unit* unit : program_.program().units) {
    for (const ir::Global& global : unit->globals) {
      const ir::Function* initializer = program_.find_function(global.initializer, unit);
      if (!initializer) continue;
      const auto all = [](Name) { return true; };
      Entry entry = make_entry(state, {}, names_, all, /*sees_aliases=*/false);
      const Summary* summary = summarize(*initializer, entry);
      if (!summary || summary->exits.empty()) continue;
      ObjectId base = state.object_count();
      const Exit& exit = summary->exits.front();
      Value value = apply_exit(state, entry, exit.state, exit.value, exit.made, names_,
                               [&](uint32_t k) { return base + k; });
      state.assumptions.clear();
      state.set_global(names_.intern(global.slot), value);
    }
  }
  return state;
}

std::vector<Value> Engine::unknown_arguments(const ir::Function& function, State& state,
                                             size_t first) {
  auto allocate = [&] { return state.object_count(); };
  std::vector<Value> arguments;
  for (size_t i = first; i < function.parameters.size(); ++i) {
    const ir::Parameter& parameter = function.parameters[i];
    // Short, so that what is computed from it can be told; the key has the path in it.
    Name label = names_.intern(parameter.name + "#" + std::to_string(names_.intern(function.key)));
    ir::Type type = parameter.type;
    bool is_self = parameter.name == "this" && type.kind == ir::TypeKind::kUnknown;
    if (is_self) type = {ir::TypeKind::kRecord, function.class_key, {}};
    arguments.push_back(symbolic(type, label, state, allocate, program_.unit_of(function)));
  }
  return arguments;
}

Value Engine::symbolic(const ir::Type& type, Name symbol, State& state,
                       const std::function<ObjectId()>& allocate, const ir::Unit* unit) {
  auto part = [&](const std::string& which) {
    return names_.derive(names_.text(symbol) + which, {symbol});
  };
  auto make = [&](Object object) {
    object.symbol = symbol;
    object.may_be_null = true;
    ObjectId id = allocate();
    state.put(id, std::move(object));
    return Value::object_ref(id);
  };
  Object object;
  switch (type.kind) {
    case ir::TypeKind::kBool:
    case ir::TypeKind::kInt:
    case ir::TypeKind::kFloat:
    case ir::TypeKind::kString:
      return Value::symbol(symbol);
    case ir::TypeKind::kDevice:
      return Value::device(Place::chosen(symbol));
    case ir::TypeKind::kTensor:
      return Value::tensor(Place::alike(symbol));
    case ir::TypeKind::kOptions: {
      Value options = Value::options();
      options.has_place = true;
      return options;
    }
    case ir::TypeKind::kModule:
      object.kind = ObjectKind::kModule;
      object.type = program_.find_class(type.name, unit);
      object.type_name = names_.intern(object.type ? object.type->name : type.name);
      object.complete = false;
      return make(std::move(object));
    case ir::TypeKind::kRecord:
      object.type = program_.find_class(type.name, unit);
      object.kind = object.type ? ObjectKind::kRecord : ObjectKind::kLibrary;
      object.type_name = names_.intern(object.type ? object.type->name : type.name);
      object.complete = false;
      return make(std::move(object));
    case ir::TypeKind::kPointer:
      return type.arguments.empty() ? Value::unknown()
                                    : symbolic(type.arguments[0], symbol, state, allocate, unit);
    case ir::TypeKind::kContainer: {
      object.kind = ObjectKind::kContainer;
      object.open = true;
      bool known = !type.arguments.empty();
      object.rest = known ? symbolic(type.arguments.back(), part("[]"), state, allocate, unit)
                          : Value::unknown();
      return make(std::move(object));
    }
    case ir::TypeKind::kTuple:
      object.kind = ObjectKind::kTuple;
      for (size_t i = 0; i < type.arguments.size(); ++i) {
        object.elements.push_back(
            symbolic(type.arguments[i], part("." + std::to_string(i)), state, allocate, unit));
      }
      return make(std::move(object));
    default:
      return Value::unknown();
  }
}

}  // namespace placecheck::dataflow
