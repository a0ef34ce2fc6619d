// Which devices a program sees: the list that it sets itself, when that is too late, and the
// numbered devices that it uses.
#include <algorithm>

#include "analyzer/dataflow/conditions.h"
#include "analyzer/dataflow/dynamic.h"
#include "analyzer/dataflow/effects.h"
#include "analyzer/dataflow/identity.h"
#include "analyzer/dataflow/scalars.h"
#include "rules/prefix_strip_anywhere.h"
#include "rules/visible_devices.h"

namespace placecheck::dataflow {
namespace {

using models::Effect;
using Start = DeviceSetup::Start;
using List = DeviceSetup::List;
namespace visible = rules::visible_devices;

constexpr std::string_view kSetters[] = {"setenv", "unsetenv", "SetEnvironmentVariableA"};
constexpr std::string_view kTextSetters[] = {"putenv", "_putenv", "_putenv_s", "system", "popen"};

// A process of another program, or a copy of this one, starts with the variables that are set.
constexpr std::string_view kProcessStarters[] = {
    "execl",       "execle",       "execlp", "execv", "execve", "execvp", "execvpe",
    "posix_spawn", "posix_spawnp", "fork",   "vfork", "popen",  "system"};

constexpr std::string_view kSharers[] = {"cuCtxEnablePeerAccess", "cuMemSetAccess",
                                         "cudaMemPoolSetAccess"};

bool sets_variables(const std::string& name) {
  return std::ranges::find(kSetters, name) != std::end(kSetters) ||
         std::ranges::find(kTextSetters, name) != std::end(kTextSetters);
}

bool starts_process(const std::string& name) {
  return std::ranges::find(kProcessStarters, ir::last_component(name)) !=
         std::end(kProcessStarters);
}

bool lets_devices_share(const std::string& name) {
  return std::ranges::find(kSharers, name) != std::end(kSharers) || name.starts_with("nvshmem");
}

// Memory of the host in the devices' reach.
bool provides_shared_memory(std::optional<Effect> effect) {
  return effect == Effect::kAllocateManaged || effect == Effect::kAllocatePinned;
}

bool runs_copies(std::optional<Effect> effect) {
  return effect == Effect::kDataParallelCall || effect == Effect::kDataParallelForward ||
         effect == Effect::kReplicate;
}

bool starts_a_number(std::string_view key) { return key.starts_with("text("); }

// A text of which the beginning is known: "add('gpu:',text(i))".
std::optional<std::string> known_beginning(std::string_view key) {
  constexpr std::string_view kOpen = "add('";
  size_t at = 0;
  while (key.substr(at).starts_with("add(add(")) at += 4;
  if (!key.substr(at).starts_with(kOpen)) return std::nullopt;
  at += kOpen.size();
  size_t end = key.find("',", at);
  if (end == std::string_view::npos) return std::nullopt;
  std::string text(key.substr(at, end - at));
  if (starts_a_number(key.substr(end + 2))) text += '0';
  return text;
}

// The least number of devices for which this path is taken.
int64_t promised_devices(const State& state, const Names& names) {
  int64_t least = 0;
  const std::string count(kDeviceCount);
  for (const auto& [condition, holds] : state.assumptions) {
    std::string_view key = names.text(condition);
    auto number = [&](std::string_view before, std::string_view after) -> std::optional<int64_t> {
      if (!key.starts_with(before) || !key.ends_with(after)) return std::nullopt;
      std::string digits(key.substr(before.size(), key.size() - before.size() - after.size()));
      if (!visible::is_number(digits) || digits.size() > 9) return std::nullopt;
      return std::stoll(digits);
    };
    if (auto n = number("lt(", "," + count + ")"); n && holds) least = std::max(least, *n + 1);
    if (auto n = number("lt(" + count + ",", ")"); n && !holds) least = std::max(least, *n);
    if (auto n = number("eq(", "," + count + ")"); n && holds) least = std::max(least, *n);
  }
  return least;
}

// The number that is all of a list: `std::to_string(gpu)`; 0 for other values.
Name number_in(const Value& list, const Names& names) {
  const bool is_number = list.is(ValueKind::kSymbol) && names.is_term(list.name, "text");
  return is_number ? names.operands(list.name)[0] : 0;
}

// The list takes effect unless the runtime has started, or may have. `number`: what it consists of
// where it is not known.
void set_list(CallContext& context, const std::optional<std::string>& list, bool overwrites,
              Name number = 0) {
  DeviceSetup& setup = context.state.setup;
  VisibleListEvent event;
  event.site = context.activation.site(context.instruction.range);
  event.is_known = list.has_value();
  event.list = list.value_or("");
  event.start = setup.start;
  event.started_at = setup.started_at;
  bool is_in_force =
      list && setup.list == List::kSet && context.activation.names().text(setup.visible) == *list;
  // Too late, but perhaps the same list that was set in time.
  bool may_be_in_force = event.start == Start::kYes && setup.list == List::kUnknown;
  // Too late for this process, the list may be meant for another one.
  bool may_be_for_others =
      event.start == Start::kYes && context.activation.program_starts_processes();
  if (!is_in_force && !may_be_in_force && !may_be_for_others)
    context.activation.notify(event, context.state);
  if (setup.start == Start::kYes || (!overwrites && setup.list == List::kSet)) return;
  bool settled = list && overwrites && setup.start == Start::kNo;
  setup.list = settled ? List::kSet : List::kUnknown;
  const bool is_number = overwrites && setup.start == Start::kNo;
  setup.visible = settled ? context.name(*list) : is_number ? number : 0;
  setup.listed_at = context.origin(OriginKind::kNamed);
}

void set_variable(CallContext& context) {
  if (context.text(context.read(0)) != visible::kVariable) return;
  Value overwrite = context.read(2);
  bool overwrites = context.count() < 3 || (overwrite.is(ValueKind::kInt) && overwrite.number != 0);
  set_list(context, context.text(context.read(1)), overwrites,
           number_in(context.read(1), context.activation.names()));
}

// NAME=VALUE, the value of which may not be known.
void set_variable_by_text(CallContext& context) {
  const std::string head = std::string(visible::kVariable) + "=";
  Value argument = context.read(0);
  if (std::optional<std::string> text = context.text(argument)) {
    if (text->starts_with(head)) set_list(context, text->substr(head.size()), true);
    return;
  }
  if (!argument.is(ValueKind::kSymbol)) return;
  std::optional<std::string> beginning =
      known_beginning(context.activation.names().text(argument.name));
  if (beginning && beginning->starts_with(head)) set_list(context, std::nullopt, true);
}

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ') || text.ends_with(';')) text.remove_suffix(1);
  return text;
}

// A shell that sets the variable and does nothing else: what it sets ends with it.
void run_shell(CallContext& context) {
  Value argument = context.read(0);
  std::optional<std::string> text = context.text(argument);
  bool is_whole = text.has_value();
  if (!text && argument.is(ValueKind::kSymbol))
    text = known_beginning(context.activation.names().text(argument.name));
  if (!text) return;
  std::string_view command = trimmed(*text);
  for (std::string_view word : {"export ", "set ", "setx "}) {
    if (command.starts_with(word)) command = trimmed(command.substr(word.size()));
  }
  const std::string head = std::string(visible::kVariable) + "=";
  if (!command.starts_with(head)) return;
  if (command.find_first_of(";&|\n") != std::string_view::npos) return;
  bool bare = command.size() == trimmed(*text).size();
  bool runs_something = bare && (!is_whole || command.find(' ') != std::string_view::npos);
  if (runs_something) return;
  VisibleListEvent event;
  event.site = context.activation.site(context.instruction.range);
  event.list = std::string(command.substr(head.size()));
  event.start = context.state.setup.start;
  event.in_child = true;
  context.activation.notify(event, context.state);
}

void unset_variable(CallContext& context) {
  DeviceSetup& setup = context.state.setup;
  if (context.text(context.read(0)) != visible::kVariable || setup.start == Start::kYes) return;
  setup.list = List::kUnknown;
  setup.visible = 0;
}

// pin_memory(), and the pinned_memory() of options.
bool pins_memory(std::string_view name, std::optional<Effect> effect) {
  return ir::last_component(name).starts_with("pin") || effect == Effect::kPinHost;
}

// Whether devices reach all memory of the host is what the scenario says.
Value reaches_host_memory(CallContext& context) {
  return Value::integer(context.activation.shares_host_memory() ? 1 : 0);
}

void store_properties(CallContext& context) {
  ObjectId id = context.state.object_id_of(context.arguments[0]);
  if (id == kNoObject) {
    Object properties;
    properties.kind = ObjectKind::kLibrary;
    properties.complete = false;
    Value made = context.make(std::move(properties));
    context.activation.assign(context.state, context.arguments[0], made);
    id = made.object;
  }
  context.state.edit(id).set(context.name("pageableMemoryAccess"), reaches_host_memory(context));
}

void store_property(CallContext& context) {
  constexpr int64_t kPageableMemoryAccess = 88;
  Value which = context.read(1);
  bool is_it = which.is(ValueKind::kInt) && which.number == kPageableMemoryAccess;
  Value number = is_it ? reaches_host_memory(context)
                       : context.activation.fresh_symbol(context.instruction, context.state);
  context.activation.assign(context.state, context.arguments[0], number);
}

// `device_count()`, or a number that is not below.
bool is_beyond_count(CallContext& context, const Place& place) {
  return place.symbol != 0 && reaches_count(Value::symbol(place.symbol), context.activation.names(),
                                            context.activation.assumed_devices());
}

// `i % device_count() + 1`: one of the numbers is that of the devices.
bool may_reach_count(CallContext& context, Name index) {
  const Names& names = context.activation.names();
  const std::vector<Name>& parts = names.operands(index);
  if (!names.is_term(index, "add") || parts.size() != 2) return false;
  const size_t literal = names.integer(parts[0]) ? 0 : 1;
  const std::optional<int64_t> added = names.integer(parts[literal]);
  const Name rest = parts[1 - literal];
  return added && *added > 0 && names.is_term(rest, "mod") &&
         names.operands(rest)[1] == names.find(kDeviceCount);
}

// Whether a number is that of the devices, or what the program is told of it: `args.gpus`.
bool counts_devices(Name number, const Names& names) {
  return number == names.find(kDeviceCount) ||
         (is_lasting(number, names) && says_device(names.text(number)));
}

// `node * device_count() + i`, where the program is told the node.
bool is_of_all_nodes(CallContext& context, Name index) {
  const Names& names = context.activation.names();
  const std::vector<Name>& parts = names.operands(index);
  if (names.is_term(index, "add"))
    return std::ranges::any_of(parts, [&](Name each) { return is_of_all_nodes(context, each); });
  if (!names.is_term(index, "mul") || parts.size() != 2) return false;
  const bool is_second = counts_devices(parts[1], names);
  if (is_second == counts_devices(parts[0], names)) return false;
  const Name node = parts[is_second ? 0 : 1];
  return !names.integer(node) && is_lasting(node, names) &&
         !constant_of(context.state, node, names);
}

// The program has made the device visible by its number, and uses that again: right for 0 only.
bool is_physical_number(CallContext& context, const Place& place) {
  const DeviceSetup& setup = context.state.setup;
  if (setup.list != List::kUnknown || setup.visible == 0 || place.symbol != setup.visible)
    return false;
  Names& names = context.activation.names();
  const Name is_first = names.term("eq", {names.intern("0"), place.symbol});
  return decided(context.state, is_first, names) != true;
}

}  // namespace

Followed followed_in(const ir::Program& program) {
  Followed followed;
  bool wraps = false, provides = false;  // tensors around memory, and memory of both sides
  for (const ir::Unit* unit : program.units) {
    for (const ir::Function& function : unit->functions) {
      for (const ir::Block& block : function.blocks) {
        for (const ir::Instruction& instruction : block.instructions) {
          // An environment that is a table is written under the name.
          const auto* text = std::get_if<std::string>(&instruction.literal);
          followed.setup |= text && *text == visible::kVariable && is_dynamic(function);
          followed.modes |= text && *text == "training" && is_dynamic(function);
          followed.prefixes |= text && text->starts_with(rules::prefix_strip_anywhere::kPrefix);
          if (instruction.opcode != ir::Opcode::kCall) continue;
          const std::string& name = instruction.call.name;
          followed.modes |= is_dynamic(function) && name.ends_with("DataParallel");
          std::optional<Effect> effect = models::find_effect(name);
          followed.setup |= sets_variables(name);
          followed.processes |= starts_process(name);
          followed.peers |= lets_devices_share(name);
          if (effect == Effect::kEnablePeer) followed.peer_calls.push_back(&instruction);
          followed.pins |= pins_memory(name, effect);
          wraps |= name == "at::from_blob" || name == "torch::from_blob";
          provides |= provides_shared_memory(effect);
          followed.modes |= runs_copies(effect);
        }
      }
    }
  }
  followed.pins |= wraps && provides;
  return followed;
}

// The global that says that a text was looked up in a table.
Name question_about(CallContext& context, const Value& text) {
  return context.name("<looked up '" + context.activation.names().text(text.name) + "'>");
}

void start_devices(CallContext& context) {
  DeviceSetup& setup = context.state.setup;
  if (!context.activation.follows_setup() || setup.start == Start::kYes) return;
  setup.start = Start::kYes;
  setup.started_at = context.origin(OriginKind::kNamed);
}

std::optional<int64_t> visible_devices(CallContext& context) {
  const DeviceSetup& setup = context.state.setup;
  std::optional<int64_t> given;
  if (context.activation.devices_are_given()) given = context.activation.assumed_devices();
  if (setup.list == List::kUnknown) return std::nullopt;
  if (setup.list == List::kNotSet) return given;
  return visible::count(context.activation.names().text(setup.visible), given);
}

std::optional<int64_t> counted_devices(CallContext& context) {
  const bool is_set = context.state.setup.list == List::kSet;
  return is_set || context.activation.devices_are_counted() ? visible_devices(context)
                                                            : std::nullopt;
}

// What is to be said where a device is used that the program certainly does not see.
static std::optional<DeviceIndexEvent> index_beyond_devices(CallContext& context,
                                                            const Place& place) {
  const std::optional<int64_t> devices = visible_devices(context);
  if (!devices || place.index < 0 || place.index < *devices) return std::nullopt;
  if (place.index < promised_devices(context.state, context.activation.names()))
    return std::nullopt;
  const DeviceSetup& setup = context.state.setup;
  DeviceIndexEvent event;
  event.site = context.activation.site(context.instruction.range);
  event.index = place.index;
  event.devices = *devices;
  event.is_listed = setup.list == List::kSet;
  event.list = context.activation.names().text(setup.visible);
  event.listed_at = setup.listed_at;
  return event;
}

// Whether what an index is computed from tells that there may be no such device.
static bool note_computed_index(CallContext& context, Name index, OriginId named_at) {
  DeviceIndexEvent event;
  event.is_of_last = may_reach_count(context, index);
  event.is_of_node = !event.is_of_last && is_of_all_nodes(context, index);
  event.is_count = event.is_of_last || event.is_of_node;
  if (!event.is_count) return false;
  // A run ends where it is used first.
  const Name used = context.name("<used " + context.activation.names().text(index) + ">");
  if (context.state.find_global(used)) return true;
  context.state.set_global(used, Value::boolean(true));
  event.site = context.activation.site(context.instruction.range);
  event.named_at = named_at;
  context.activation.notify(event, context.state);
  return true;
}

void use_device(CallContext& context, const Place& place, OriginId named_at) {
  if (place.kind == PlaceKind::kChosen) note_computed_index(context, place.symbol, named_at);
  if (place.kind != PlaceKind::kCuda) return;
  start_devices(context);
  Place resolved = resolve(context.state, place);
  if (is_beyond_count(context, resolved)) {
    const Name last = context.name(kIsLastDevice);
    const Value* is_last = context.state.find_global(last);
    // The run for the last device ended where it was used first.
    if (is_last && is_last->number == 0) return;
    DeviceIndexEvent event;
    event.site = context.activation.site(context.instruction.range);
    event.is_count = true;
    event.is_of_last = is_last != nullptr;
    if (is_last) context.state.set_global(last, Value::boolean(false));
    event.named_at = named_at;
    context.activation.notify(event, context.state);
    return;
  }
  if (note_computed_index(context, resolved.symbol, named_at)) return;
  if (is_physical_number(context, resolved)) {
    DeviceIndexEvent event;
    event.site = context.activation.site(context.instruction.range);
    event.is_physical = true;
    event.named_at = named_at;
    event.listed_at = context.state.setup.listed_at;
    context.activation.notify(event, context.state);
    return;
  }
  std::optional<DeviceIndexEvent> event = index_beyond_devices(context, resolved);
  // A place that was taken over from something else was reported with that.
  if (!event || (named_at == 0 && event->devices > 0)) return;
  event->named_at = named_at;
  context.activation.notify(*event, context.state);
}

void load_onto_saved_device(CallContext& context, const Place& place, OriginId saved_at) {
  if (place.kind != PlaceKind::kCuda) return;
  start_devices(context);
  if (const std::optional<DeviceIndexEvent> beyond = index_beyond_devices(context, place)) {
    context.activation.notify(
        SavedDeviceEvent{beyond->site, beyond->index, beyond->devices, saved_at, beyond->listed_at},
        context.state);
  }
}

void note_question(CallContext& context, const Value& text) {
  if (!text.is(ValueKind::kString)) return;
  context.state.set_global(question_about(context, text), Value::boolean(true));
}

bool was_looked_up(CallContext& context, const Value& text) {
  return text.is(ValueKind::kString) && context.state.find_global(question_about(context, text));
}

void note_device_text(CallContext& context, const Value& text) {
  if (context.call().caught || was_looked_up(context, text)) return;
  DeviceTextEvent event;
  event.site = context.activation.site(context.instruction.range);
  const std::string& key = context.activation.names().text(text.name);
  if (text.is(ValueKind::kString)) {
    event.text = key;
  } else if (std::optional<std::string> beginning =
                 text.is(ValueKind::kSymbol) ? known_beginning(key) : std::nullopt) {
    event.text = *beginning;
    event.is_whole = false;
  } else {
    return;
  }
  context.activation.notify(event, context.state);
}

bool setup_effect(CallContext& context, Effect effect, Value& result) {
  switch (effect) {
    case Effect::kStartDevices: {
      start_devices(context);
      auto is_address = [](const Value& value) { return value.is(ValueKind::kAddress); };
      if (std::ranges::any_of(context.arguments, is_address)) return false;
      break;
    }
    case Effect::kStoreDeviceCount: {
      start_devices(context);
      if (context.count() == 0) return false;
      std::optional<int64_t> devices = counted_devices(context);
      context.activation.assign(
          context.state, context.arguments[0],
          devices ? Value::integer(*devices) : Value::symbol(context.name(kDeviceCount)));
      // There are devices: the call succeeds, as those do that use them.
      result = Value::integer(0);
      return true;
    }
    case Effect::kStoreProperties:
    case Effect::kStoreProperty:
      start_devices(context);
      if (context.count() < 2) return false;
      if (effect == Effect::kStoreProperties) note_asked_about(context);
      effect == Effect::kStoreProperties ? store_properties(context) : store_property(context);
      result = Value::integer(0);
      return true;
    case Effect::kSetVariable:
      set_variable(context);
      break;
    case Effect::kSetVariableText:
      set_variable_by_text(context);
      break;
    case Effect::kUnsetVariable:
      unset_variable(context);
      break;
    case Effect::kShell:
      run_shell(context);
      break;
    default:
      return false;
  }
  result = context.activation.fresh_symbol(context.instruction, context.state);
  return true;
}

}  // namespace placecheck::dataflow
