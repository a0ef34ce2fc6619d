#include "analyzer/dataflow/value.h"

#include <tuple>

#include "llvm/ADT/Hashing.h"

namespace placecheck::dataflow {
namespace {

auto identity(const Value& v) {
  return std::tie(v.kind, v.rank, v.has_place, v.bound, v.requires_grad, v.stray, v.taken,
                  v.borrowed, v.path, v.object, v.name, v.place.kind, v.place.index, v.place.symbol,
                  v.number);
}

}  // namespace

bool same(const Value& a, const Value& b) { return identity(a) == identity(b); }

static bool is_number(const Value& v) {
  return v.is(ValueKind::kBool) || v.is(ValueKind::kInt) || v.is(ValueKind::kSymbol) ||
         v.is(ValueKind::kUnknown);
}

bool alike(const Value& a, const Value& b) { return (is_number(a) && is_number(b)) || same(a, b); }

bool agree_on_places(const Value& a, const Value& b) {
  auto is_plain = [](const Value& v) { return is_number(v) || v.is(ValueKind::kString); };
  return (is_plain(a) && is_plain(b)) || same(a, b);
}

uint64_t digest(const Value& value, Likeness likeness) {
  const bool is_any_text = likeness == Likeness::kInPlaces && value.is(ValueKind::kString);
  if (is_number(value) || is_any_text) return 1;
  const auto pair = [](uint32_t high, uint32_t low) { return uint64_t{high} << 32 | low; };
  const Place& place = value.place;
  uint64_t code = mix(pair(static_cast<uint32_t>(value.kind), static_cast<uint32_t>(place.kind)),
                      pair(value.object, value.name));
  code = mix(code, pair(static_cast<uint32_t>(place.index), place.symbol));
  return mix(code, static_cast<uint64_t>(value.number));
}

uint64_t hash(const Value& v) {
  return llvm::hash_combine(static_cast<int>(v.kind), static_cast<int>(v.rank), v.has_place, v.path,
                            v.object, v.name, static_cast<int>(v.place.kind), v.place.index,
                            v.place.symbol, v.number);
}

Rank join(Rank a, Rank b) {
  if (a == b) return a;
  return at_least(std::min(min_dimensions(a), min_dimensions(b)));
}

// Numbers have no place to lose.
static GapId joined_gap(const Value& a, const Value& b) {
  if (a.gap != 0 || b.gap != 0) return a.gap != 0 ? a.gap : b.gap;
  auto is_plain = [](const Value& v) { return v.is_scalar() || v.is(ValueKind::kUnknown); };
  return is_plain(a) && is_plain(b) ? 0 : kJoinedGap;
}

Value join(const Value& a, const Value& b, Name fresh) {
  if (same(a, b)) return a;
  if (a.is(ValueKind::kNone)) return b;
  if (b.is(ValueKind::kNone)) return a;
  if (a.is_scalar() && b.is_scalar()) return fresh ? Value::symbol(fresh) : Value::unknown();
  bool placed = a.is_tensor() || a.is(ValueKind::kDevice) || a.is(ValueKind::kOptions);
  bool leads = (a.is_pointer() || a.is_handle()) && a.number == b.number && a.name == b.name &&
               a.path == b.path;
  if (a.kind != b.kind || (!placed && !leads)) {
    Value lost = a.is_opaque() || b.is_opaque() ? Value::opaque(fresh) : Value::unknown();
    lost.gap = joined_gap(a, b);
    return lost;
  }
  Value joined = a;
  joined.place = join(a.place, b.place);
  joined.has_place = a.has_place || b.has_place;
  if (a.has_place != b.has_place) joined.place = Place::unknown();
  joined.rank = join(a.rank, b.rank);
  if (a.is_tensor() && a.number != b.number) joined.number = 0;
  joined.requires_grad = a.requires_grad && b.requires_grad;
  joined.stray = a.stray && b.stray;
  if (joined.place.kind == PlaceKind::kUnknown) joined.gap = joined_gap(a, b);
  return joined;
}

}  // namespace placecheck::dataflow
