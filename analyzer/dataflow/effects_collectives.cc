// Communicators of several devices: who belongs to whom, and what is asked of them together.
#include <algorithm>
#include <optional>

#include "analyzer/dataflow/effects.h"
#include "analyzer/dataflow/scalars.h"
#include "analyzer/models/libraries/collectives.h"

namespace placecheck::dataflow {
namespace {

using models::Effect;
using Kind = CollectiveEvent::Kind;

constexpr int64_t kMostRanks = 8;
constexpr int64_t kUnknownRank = -1;
constexpr std::string_view kInitRank = "ncclCommInitRank";
// A program that goes on so long before it closes a group is beyond what is followed.
constexpr size_t kMostCalls = 32;

// Of so many ranks, where that is known, or has a name.
Name communicator(CallContext& context, std::string_view identity, const Value& ranks) {
  const std::string name = "communicator " + std::string(identity);
  Names& names = context.activation.names();
  if (!ranks.is(ValueKind::kInt) && !ranks.is(ValueKind::kSymbol)) return context.name(name);
  const Name number =
      ranks.is(ValueKind::kSymbol) ? ranks.name : context.name(std::to_string(ranks.number));
  return names.derive(name + " of " + names.text(number), {number});
}

std::optional<int64_t> ranks_of(CallContext& context, const Value& handle) {
  const Names& names = context.activation.names();
  const std::vector<Name>& number = names.operands(handle.name);
  return number.empty() ? std::nullopt : names.integer(number[0]);
}

// By how much a number exceeds that of the ranks, where neither is known.
std::optional<int64_t> beyond_ranks(CallContext& context, const Value& number,
                                    const Value& handle) {
  const Names& names = context.activation.names();
  const std::vector<Name>& ranks = names.operands(handle.name);
  return ranks.empty() ? std::nullopt : difference_of(number, Value::symbol(ranks[0]), names);
}

std::string here(CallContext& context) { return context.activation.number_of(context.instruction); }

CollectiveEvent event_of(CallContext& context, Kind kind) {
  CollectiveEvent event;
  event.site = context.activation.site(context.instruction.range);
  event.kind = kind;
  event.operation = context.call().name;
  return event;
}

// A device for each rank: those listed, else the first ones. Empty: not known.
std::vector<Place> devices_of(CallContext& context, int64_t count) {
  std::vector<Place> devices;
  Value list = context.read(2);
  ObjectId id = array_of(context.state, context.arguments[2]);
  const Object* object = id == kNoObject ? nullptr : &context.state.object(id);
  // Made with a size, and nothing was stored in it since: each is nought.
  const bool is_untouched = object && object->open && object->elements.empty() &&
                            !object->length.is(ValueKind::kUnknown) &&
                            object->rest.is(ValueKind::kUnknown);
  for (int64_t i = 0; i < count; ++i) {
    if (list.is(ValueKind::kNone)) {
      devices.push_back(Place::cuda(static_cast<int32_t>(i)));
      continue;
    }
    bool has_element = object && static_cast<size_t>(i) < object->elements.size();
    Value number = has_element ? context.state.read(object->elements[i]) : Value::unknown();
    if (is_untouched) number = Value::integer(0);
    devices.push_back(number.is(ValueKind::kInt) ? Place::cuda(static_cast<int32_t>(number.number))
                                                 : Place::cuda_at(0));
  }
  return devices;
}

void check_devices(CallContext& context, const std::vector<Place>& devices) {
  CollectiveEvent event = event_of(context, Kind::kDevices);
  event.devices = devices;
  context.activation.notify(event, context.state);
}

// (communicators, number[, devices])
void make_all(CallContext& context) {
  if (context.count() < 3) return;
  Value number = context.read(1);
  bool is_known = number.is(ValueKind::kInt);
  int64_t count = is_known ? std::min(number.number, kMostRanks) : kMostRanks;
  std::vector<Place> devices = devices_of(context, count);
  if (is_known) check_devices(context, devices);
  // However many there are, these are among them.
  const auto least = static_cast<size_t>(context.activation.assumed_devices());
  if (is_device_count(number, context.activation.names()) && least < devices.size())
    check_devices(context, {devices.begin(), devices.begin() + static_cast<ptrdiff_t>(least)});
  Name name = communicator(context, here(context), number);
  OriginId origin = context.origin(OriginKind::kAllocated);
  Names& names = context.activation.names();
  context.activation.fill_member(context.state, context.arguments[0], &context.instruction);
  for (int64_t i = 0; i < count; ++i) {
    Value handle = Value::handle(name, devices[static_cast<size_t>(i)], origin);
    handle.number = i;
    Value address = context.arguments[0];
    bool is_array = context.state.object_id_of(address) != kNoObject || address.taken;
    if (is_array) address = element_address(context.state, address, Value::integer(i), names);
    if (is_array || count == 1) context.activation.assign(context.state, address, handle);
  }
}

// Several ranks of one thread meet only where all are asked before any is waited for.
void ask_outside_group(CallContext& context, const Collective& call) {
  Collectives& state = context.state.thread.collectives;
  for (Collective& before : state.calls) {
    bool is_same = before.operation == call.operation && before.communicator == call.communicator;
    if (!is_same) continue;
    CollectiveEvent event = event_of(context, Kind::kUngrouped);
    event.calls = {before, call};
    context.activation.notify(event, context.state);
    before = call;
    return;
  }
  if (state.calls.size() < kMostCalls) state.calls.push_back(call);
}

void ask(CallContext& context, const Collective& call) {
  Collectives& state = context.state.thread.collectives;
  if (!state.is_known) return;
  if (state.depth == 0 && call.rank != kUnknownRank) return ask_outside_group(context, call);
  if (state.depth == 0) return;
  state.is_known = call.rank != kUnknownRank && state.calls.size() < kMostCalls;
  if (state.is_known) state.calls.push_back(call);
}

// A rank makes its communicator for a device that no rank chose. The first one may be alone there.
void note_rank_device(CallContext& context, const Value& rank) {
  const ThreadState& thread = context.state.thread;
  const bool is_first = rank.is(ValueKind::kInt) && rank.number == 0;
  // A number that the program has counted: several ranks are threads of one process.
  const bool is_counted =
      rank.is(ValueKind::kInt) ||
      (rank.is(ValueKind::kSymbol) && !context.activation.names().operands(rank.name).empty());
  const bool is_chosen = is_counted && thread.has_selected;
  if (is_first || is_chosen || thread.device_is_callers) return;
  if (context.state.setup.list != DeviceSetup::List::kNotSet) return;
  RankDeviceEvent event;
  event.site = context.activation.site(context.instruction.range);
  event.operation = std::string(kInitRank) + "()";
  event.place = current_device(context.activation, context.state);
  event.origin = context.state.thread.selected_at;
  context.activation.notify(event, context.state);
}

// (address, number of ranks, id, rank)
void make_rank(CallContext& context) {
  if (context.count() < 4) return;
  Value rank = context.read(3);
  ObjectId id = context.state.object_id_of(context.arguments[2]);
  std::string identity = id == kNoObject ? here(context) : "of " + std::to_string(id);
  OriginId origin = context.origin(OriginKind::kAllocated);
  Value number = context.read(1);
  Value handle = Value::handle(communicator(context, identity, number),
                               current_device(context.activation, context.state), origin);
  handle.number = rank.is(ValueKind::kInt) ? rank.number : kUnknownRank;
  bool is_alone = number.is(ValueKind::kInt) && number.number == 1;
  Collective call{context.name(kInitRank), handle.name, handle.number, {}, {}, {}, origin};
  if (!is_alone && id != kNoObject) ask(context, call);
  if (!is_alone) note_rank_device(context, rank);
  context.activation.assign(context.state, context.arguments[0], handle);
}

void check_root(CallContext& context, const Collective& call, const Value& handle) {
  const std::optional<int64_t> ranks = ranks_of(context, handle);
  const bool is_known = ranks && call.root.is(ValueKind::kInt);
  const std::optional<int64_t> beyond = beyond_ranks(context, call.root, handle);
  if (!is_known && (!beyond || *beyond < 0)) return;
  CollectiveEvent event = event_of(context, Kind::kRoot);
  event.calls = {call};
  event.ranks = ranks.value_or(0);
  event.is_beyond_ranks = !is_known;
  context.activation.notify(event, context.state);
}

void use_buffer(CallContext& context, size_t i, const Value& handle) {
  use_memory_on(context, i, handle.place, handle.origin);
}

void collective(CallContext& context, const models::CollectiveRow& row) {
  Value handle = context.read(row.communicator);
  if (!handle.is_handle()) {
    if (context.state.thread.collectives.depth > 0)
      context.state.thread.collectives.is_known = false;
    return;
  }
  for (uint32_t i = 0; i < row.buffers; ++i) use_buffer(context, i, handle);
  use_handle(context, row.communicator + 1, handle.place, handle.origin);
  if (row.is_pairwise) return;
  Collective call;
  call.operation = context.name(context.call().name);
  call.communicator = handle.name;
  call.rank = handle.number;
  call.count = context.read(row.buffers);
  call.dtype = context.read(row.buffers + 1);
  if (row.root != 0) call.root = context.read(row.root);
  call.at = context.origin(OriginKind::kNamed);
  check_root(context, call, handle);
  ask(context, call);
}

bool are_comparable(const Collective& a, const Collective& b) {
  auto known = [](const Value& x, const Value& y) {
    return same(x, y) || (x.is(ValueKind::kInt) && y.is(ValueKind::kInt));
  };
  return known(a.count, b.count) && known(a.dtype, b.dtype) && known(a.root, b.root);
}

// The calls of each rank, in their order, are those of every other.
void compare(CallContext& context, const std::vector<Collective>& calls) {
  std::vector<std::pair<const Collective*, size_t>> firsts;  // of other ranks, by position
  for (size_t i = 0; i < calls.size(); ++i) {
    auto position_of = [&](size_t n) {
      return std::count_if(
          calls.begin(), calls.begin() + static_cast<long>(n), [&](const Collective& each) {
            return each.communicator == calls[n].communicator && each.rank == calls[n].rank;
          });
    };
    for (size_t j = 0; j < i; ++j) {
      bool meet = calls[i].communicator == calls[j].communicator &&
                  calls[i].rank != calls[j].rank && position_of(i) == position_of(j);
      if (!meet || !are_comparable(calls[i], calls[j])) continue;
      CollectiveEvent event = event_of(context, Kind::kGrouped);
      event.calls = {calls[j], calls[i]};
      context.activation.notify(event, context.state);
      break;
    }
  }
}

void start_group(CallContext& context) {
  Collectives& state = context.state.thread.collectives;
  if (state.depth == 0) {
    state.calls.clear();
    state.is_known = true;
    state.opened_at = context.origin(OriginKind::kNamed);
  }
  ++state.depth;
}

void end_group(CallContext& context) {
  Collectives& state = context.state.thread.collectives;
  bool is_unopened = state.depth == 0 && state.is_known && !state.is_callers;
  if (is_unopened) context.activation.notify(event_of(context, Kind::kUnopened), context.state);
  if (state.depth > 0) --state.depth;
  if (state.depth > 0) return;
  std::vector<Collective> calls;
  calls.swap(state.calls);
  if (state.is_known) compare(context, calls);
  state.is_known = true;
}

}  // namespace

bool collective_effect(CallContext& context, Effect effect, Value& result) {
  switch (effect) {
    case Effect::kMakeCommunicators:
      make_all(context);
      break;
    case Effect::kMakeCommunicator:
      make_rank(context);
      break;
    case Effect::kStartGroup:
      start_group(context);
      break;
    case Effect::kEndGroup:
      end_group(context);
      break;
    case Effect::kCollective:
      if (const models::CollectiveRow* row = models::find_collective(context.call().name))
        collective(context, *row);
      break;
    default:
      return false;
  }
  start_devices(context);
  result = Value::integer(0);
  return true;
}

void leave_program(Activation& activation, const State& state, const ir::Range& range) {
  const Collectives& collectives = state.thread.collectives;
  if (!collectives.is_known || collectives.depth <= 0) return;
  CollectiveEvent event;
  const Site& opened = activation.origin_of(collectives.opened_at).site;
  event.site = opened.valid() ? opened : activation.site(range);
  event.kind = Kind::kOpen;
  activation.notify(event, state);
}

}  // namespace placecheck::dataflow
