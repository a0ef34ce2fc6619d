#include "analyzer/dataflow/scalars.h"

#include <algorithm>
#include <utility>

#include "analyzer/dataflow/conditions.h"
#include "analyzer/dataflow/identity.h"
#include "analyzer/dataflow/key_tables.h"
#include "analyzer/dataflow/symbols.h"
#include "analyzer/dataflow/text_terms.h"

namespace placecheck::dataflow {
namespace {

constexpr size_t kMaxKeyLength = 160;
constexpr size_t kMaxElements = 24;
constexpr std::string_view kUnordered = "<in any order>";

std::optional<int64_t> compute(std::string_view operation, int64_t a, int64_t b) {
  auto wrap = [](uint64_t n) { return static_cast<int64_t>(n); };
  uint64_t x = static_cast<uint64_t>(a);
  uint64_t y = static_cast<uint64_t>(b);
  if (operation == "op.add") return wrap(x + y);
  if (operation == "op.sub") return wrap(x - y);
  if (operation == "op.mul") return wrap(x * y);
  if (operation == "op.neg") return wrap(0 - x);
  bool divisible = b != 0 && b != -1;
  if (operation == "op.div" && divisible) return a / b;
  if (operation == "op.mod" && divisible) return a % b;
  return std::nullopt;
}

std::optional<bool> compare(std::string_view operation, int64_t a, int64_t b) {
  if (operation == "op.eq") return a == b;
  if (operation == "op.ne") return a != b;
  if (operation == "op.lt") return a < b;
  if (operation == "op.le") return a <= b;
  if (operation == "op.gt") return a > b;
  if (operation == "op.ge") return a >= b;
  return std::nullopt;
}

// A comparison of a number that is at least one with a number: any of them compares like one.
std::optional<bool> compare_positive(std::string_view operation, const Value& a, const Value& b,
                                     const Names& names) {
  const auto is_positive = [&](const Value& v) {
    return v.is(ValueKind::kSymbol) && names.is_term(v.name, kPositive);
  };
  const bool is_left = is_positive(a) && b.is(ValueKind::kInt);
  if (!is_left && !(a.is(ValueKind::kInt) && is_positive(b))) return std::nullopt;
  const int64_t limit = is_left ? b.number : a.number;
  const bool is_at_least = operation == (is_left ? "op.ge" : "op.le");
  const bool is_below = operation == (is_left ? "op.lt" : "op.gt");
  if (limit > 1 || (limit == 1 && !is_at_least && !is_below)) return std::nullopt;
  return is_left ? compare(operation, 1, limit) : compare(operation, limit, 1);
}

// A comparison of the number of devices, of which only a lower bound is known.
std::optional<bool> compare_device_count(std::string_view operation, int64_t limit, int devices) {
  if (operation == "op.gt" && devices > limit) return true;
  if (operation == "op.ge" && devices >= limit) return true;
  if (operation == "op.lt" && devices >= limit) return false;
  if (operation == "op.le" && devices > limit) return false;
  if (operation == "op.eq" && devices > limit) return false;
  if (operation == "op.ne" && devices > limit) return true;
  return std::nullopt;
}

std::optional<Value> compare_devices(std::string_view operation, const Value& a, const Value& b) {
  if (operation != "op.eq" && operation != "op.ne") return std::nullopt;
  Relation relation = relate(a.place, b.place);
  if (relation == Relation::kUnknown && a.place.is_accelerator() && b.place.is_accelerator()) {
    // `device == kCUDA`: the type is what is asked for.
    const bool are_without_index =
        a.place == Place::cuda(Place::kCurrent) || b.place == Place::cuda(Place::kCurrent);
    // A device without an index equals none that has one, as each tensor's has.
    const auto has_index = [](const Place& place) {
      return place.kind == PlaceKind::kCuda && (place.index >= 0 || place.symbol != 0);
    };
    if (are_without_index)
      relation = has_index(a.place) || has_index(b.place) ? Relation::kDifferent : Relation::kSame;
  }
  if (relation == Relation::kUnknown) return std::nullopt;
  return Value::boolean((relation == Relation::kSame) == (operation == "op.eq"));
}

// A scalar compared with itself, or taken from itself.
std::optional<Value> fold_equal(std::string_view operation) {
  if (operation == "op.sub") return Value::integer(0);
  if (std::optional<bool> known = compare(operation, 0, 0)) return Value::boolean(*known);
  return std::nullopt;
}

// Whether the name stands for one scalar only: what paths have joined to is named after the place,
// where they may do so several times.
bool is_one(Name name, const Names& names) {
  const std::vector<Name>& operands = names.operands(name);
  return !names.text(name).starts_with(kJoined) &&
         std::all_of(operands.begin(), operands.end(),
                     [&](Name each) { return is_one(each, names); });
}

bool is_number(const Value& value) {
  return value.is(ValueKind::kInt) || value.is(ValueKind::kBool);
}

// Whether the operation is arithmetic of numbers, and its result has a fraction.
bool makes_float(std::string_view operation, const Value& a, const Value& b, const Names& names) {
  static constexpr std::string_view kArithmetic[] = {"op.add", "op.div", "op.mul",
                                                     "op.pow", "op.sub", "op.truediv"};
  auto is_float = [&](const Value& value) { return is_some_float(value, names); };
  if (operation == "op.neg") return is_float(a);
  if (std::ranges::find(kArithmetic, operation) == std::end(kArithmetic)) return false;
  const bool are_numbers = (is_float(a) || is_number(a)) && (is_float(b) || is_number(b));
  return are_numbers && (operation == "op.truediv" || is_float(a) || is_float(b));
}

// One order of the operands and of the comparison for all that mean the same.
Value symbolic_operation(std::string_view operation, const Value& a, const Value& b, Names& names) {
  std::optional<Name> x = identity_of(a, names);
  std::optional<Name> y = identity_of(b, names);
  bool unary = operation == "op.not" || operation == "op.neg";
  if (!x || (!y && !unary)) return Value::unknown();
  if (operation == "op.not") return Value::symbol(negated(*x, names));
  if (names.text(*x).size() + (y ? names.text(*y).size() : 0) > kMaxKeyLength)
    return Value::unknown();
  if (unary) return Value::symbol(names.term(operation.substr(3), {*x}));
  if (*x == *y && !a.is_opaque() && is_one(*x, names)) {
    if (std::optional<Value> folded = fold_equal(operation)) return *folded;
  }
  if (operation == "op.gt" || operation == "op.le") std::swap(*x, *y);
  bool commutes = operation == "op.eq" || operation == "op.ne";
  if (commutes && names.text(*y) < names.text(*x)) std::swap(*x, *y);
  bool is_negated = operation == "op.ne" || operation == "op.le" || operation == "op.ge";
  std::string_view base = operation.substr(3);
  if (operation == "op.ne") base = "eq";
  if (operation == "op.gt" || operation == "op.le" || operation == "op.ge") base = "lt";
  Name term = names.term(base, {*x, *y});
  return Value::symbol(is_negated ? negated(term, names) : term);
}

Value within(Value pointer) {
  pointer.path = Value::kWithin;
  return pointer;
}

// The variable that the first element of `pointer` is, where its address was taken.
std::optional<Value> variable_at(const State& state, const Value& pointer, const Value& index) {
  if (!pointer.is(ValueKind::kAddress) || !index.is(ValueKind::kInt) || index.number != 0)
    return std::nullopt;
  Value address = pointer.taken ? pointer : state.unboxed(pointer);
  if (!address.is(ValueKind::kAddress) || !address.taken || address.path == Value::kEachElement)
    return std::nullopt;
  if (state.object_id_of(address) != kNoObject) return std::nullopt;
  address.taken = false;
  return address;
}

// A scalar as another one plus a constant: `x + 3`, `x - 1`, or `x` itself.
struct Sum {
  Name base = 0;
  int64_t constant = 0;
};

bool is_small(int64_t constant) {
  constexpr int64_t kMost = int64_t{1} << 32;
  return -kMost <= constant && constant <= kMost;
}

Sum sum_of(Name scalar, const Names& names) {
  const bool is_difference = names.is_term(scalar, "sub");
  const std::vector<Name>& parts = names.operands(scalar);
  if ((!is_difference && !names.is_term(scalar, "add")) || parts.size() != 2) return {scalar, 0};
  std::optional<int64_t> constant = names.integer(parts[1]);
  Name rest = parts[0];
  if (!constant && !is_difference) {
    constant = names.integer(parts[0]);
    rest = parts[1];
  }
  if (!constant || !is_small(*constant)) return {scalar, 0};
  const Sum below = sum_of(rest, names);
  return {below.base, below.constant + (is_difference ? -*constant : *constant)};
}

Value value_of(const Sum& sum, Names& names) {
  if (sum.constant == 0) return Value::symbol(sum.base);
  const Name constant = names.intern(std::to_string(std::abs(sum.constant)));
  return Value::symbol(names.term(sum.constant > 0 ? "add" : "sub", {sum.base, constant}));
}

// `(x + 1) - 1`, `(x - 1) + 3`.
std::optional<Value> fold_sum(std::string_view operation, const Value& a, const Value& b,
                              Names& names) {
  const bool is_difference = operation == "op.sub";
  if ((!is_difference && operation != "op.add") || !a.is(ValueKind::kSymbol) ||
      !b.is(ValueKind::kInt) || !is_small(b.number))
    return std::nullopt;
  Sum sum = sum_of(a.name, names);
  if (sum.constant == 0) return std::nullopt;
  sum.constant += is_difference ? -b.number : b.number;
  return value_of(sum, names);
}

// Comparison and subtraction of two unknown numbers whose difference is known.
std::optional<Value> fold_difference(std::string_view operation, const Value& a, const Value& b,
                                     const Names& names) {
  const std::optional<int64_t> difference = difference_of(a, b, names);
  if (!difference) return std::nullopt;
  if (operation == "op.sub") return Value::integer(*difference);
  const std::optional<bool> known = compare(operation, *difference, 0);
  return known ? std::optional(Value::boolean(*known)) : std::nullopt;
}

// The memory of a device is neither that of another nor an object of the host.
bool are_apart(const Value& a, const Value& b) {
  auto is_beyond = [](const Value& pointer, const Value& other) {
    return pointer.is_pointer() && pointer.place.is_accelerator() && other.is_object();
  };
  bool are_pointers = a.is_pointer() && b.is_pointer();
  return is_beyond(a, b) || is_beyond(b, a) ||
         (are_pointers && relate(a.place, b.place) == Relation::kDifferent);
}

// Whether an element of `container` can be told from the others by it.
bool is_key(const Object& container, const Value& value) {
  bool is_device = value.is(ValueKind::kDevice) && value.place.is_known();
  return value.is(ValueKind::kString) ||
         (container.is_map && (value.is(ValueKind::kInt) || is_device));
}

// The elements up to `position` of an array that has no end.
void extend(State& state, ObjectId id, int64_t position) {
  const Object& object = state.object(id);
  bool is_array = object.kind == ObjectKind::kContainer && object.open && object.symbol == 0 &&
                  object.keys.empty();
  bool fits = position >= 0 && position < static_cast<int64_t>(kMaxElements);
  if (!is_array || !fits || position < static_cast<int64_t>(object.elements.size())) return;
  const Value length = object.length;
  Object& array = state.edit(id);
  array.length = length;  // more of it is known, and it is as long as it was
  Value element = array.rest;
  element.one_of = element.is_object();
  while (static_cast<int64_t>(array.elements.size()) <= position) array.elements.push_back(element);
}

// An element of which only its list is known. What a loop counts takes all of them in turn.
Value one_element(const State& state, ObjectId list, const Value& index, const Names& names) {
  Value address = Value::address(list, Value::kSomeElement);
  address.key_lacks_device = key_lacks_device(state, index, names);
  bool takes_all =
      index.is(ValueKind::kSymbol) && names.text(index.name).find(kIterated) != std::string::npos;
  address.one_of = !takes_all;
  return address;
}

// What changes nothing: `n - 0`, `n + 0`, `n * 1`.
std::optional<Value> fold_neutral(std::string_view operation, const Value& a, const Value& b) {
  const auto is_it = [](const Value& v, int64_t number) {
    return v.is(ValueKind::kInt) && v.number == number;
  };
  const bool is_sum = operation == "op.add", is_product = operation == "op.mul";
  if (a.is(ValueKind::kSymbol) && (is_sum || operation == "op.sub") && is_it(b, 0)) return a;
  if (a.is(ValueKind::kSymbol) && is_product && is_it(b, 1)) return a;
  const bool are_scalars = a.is_scalar() && b.is_scalar();
  if (is_product && are_scalars && (is_it(a, 0) || is_it(b, 0))) return Value::integer(0);
  if (b.is(ValueKind::kSymbol) && ((is_sum && is_it(a, 0)) || (is_product && is_it(a, 1))))
    return b;
  return std::nullopt;
}

std::optional<MultipleOfCount> multiple_of(Name number, const Names& names) {
  if (const std::optional<int64_t> constant = names.integer(number)) {
    return is_small(*constant) ? std::optional(MultipleOfCount{0, *constant}) : std::nullopt;
  }
  if (names.text(number) == kDeviceCount) return MultipleOfCount{1, 0};
  const std::vector<Name>& parts = names.operands(number);
  if (parts.size() != 2) return std::nullopt;
  const bool is_product = names.is_term(number, "mul"), is_sum = names.is_term(number, "add");
  if (!is_product && !is_sum && !names.is_term(number, "sub")) return std::nullopt;
  const std::optional<MultipleOfCount> a = multiple_of(parts[0], names);
  const std::optional<MultipleOfCount> b = a ? multiple_of(parts[1], names) : std::nullopt;
  if (!b || (is_product && a->factor != 0 && b->factor != 0)) return std::nullopt;
  MultipleOfCount found;
  if (is_product) {
    const MultipleOfCount& multiple = a->factor != 0 ? *a : *b;
    const int64_t times = a->factor != 0 ? b->constant : a->constant;
    found = {multiple.factor * times, multiple.constant * times};
  } else {
    const int64_t sign = is_sum ? 1 : -1;
    found = {a->factor + sign * b->factor, a->constant + sign * b->constant};
  }
  const bool fits = is_small(found.factor) && is_small(found.constant);
  return fits ? std::optional(found) : std::nullopt;
}

// A multiple of the number of devices divided by a factor of it: `(4 * count + 1) / 4`.
std::optional<Value> fold_division(std::string_view operation, const Value& a, const Value& b,
                                   Names& names) {
  const bool is_remainder = operation == "op.mod";
  if ((!is_remainder && operation != "op.div") || !b.is(ValueKind::kInt) || b.number < 2)
    return std::nullopt;
  const std::optional<MultipleOfCount> multiple = multiple_of_count(a, names);
  const bool divides = multiple && multiple->factor > 0 && multiple->factor % b.number == 0;
  if (!divides || multiple->factor + multiple->constant < 0) return std::nullopt;
  const int64_t rest = (multiple->constant % b.number + b.number) % b.number;
  if (is_remainder) return Value::integer(rest);
  const Name count = names.intern(kDeviceCount);
  const int64_t factor = multiple->factor / b.number;
  const Name times =
      factor == 1 ? count : names.term("mul", {count, names.intern(std::to_string(factor))});
  return value_of({times, (multiple->constant - rest) / b.number}, names);
}

// Two multiples of the number of devices, of which there are at least so many.
std::optional<Value> compare_multiples(std::string_view operation, const Value& a, const Value& b,
                                       const Names& names, int devices) {
  const std::optional<MultipleOfCount> one = multiple_of_count(a, names);
  const std::optional<MultipleOfCount> other = one ? multiple_of_count(b, names) : std::nullopt;
  if (!other) return std::nullopt;
  const int64_t factor = one->factor - other->factor, constant = one->constant - other->constant;
  const int64_t least = factor * devices + constant;
  const bool is_certain = factor == 0 || (factor > 0 && least > 0) || (factor < 0 && least < 0);
  const std::optional<bool> known = is_certain ? compare(operation, least, 0) : std::nullopt;
  return known ? std::optional(Value::boolean(*known)) : std::nullopt;
}

// A number near that of the devices, or below it, divided by that.
std::optional<Value> fold_by_device_count(std::string_view operation, const Value& a,
                                          const Value& b, const Names& names, int devices) {
  const bool is_remainder = operation == "op.mod";
  if (!is_device_count(b, names) || (!is_remainder && operation != "op.div")) return std::nullopt;
  const std::optional<int64_t> beyond = difference_of(a, b, names);
  const bool is_below = (a.is(ValueKind::kInt) && a.number >= 0 && a.number < devices) ||
                        (beyond && *beyond < 0 && *beyond >= -devices);
  if (is_below) return is_remainder ? a : Value::integer(0);
  if (!beyond || *beyond < 0 || *beyond >= devices) return std::nullopt;
  return Value::integer(is_remainder ? *beyond : 1);
}

}  // namespace

bool is_device_count(const Value& number, const Names& names) {
  return number.is(ValueKind::kSymbol) && names.text(number.name) == kDeviceCount;
}

std::optional<int64_t> offset_from_count(const Value& number, const Names& names) {
  const std::optional<MultipleOfCount> multiple = multiple_of_count(number, names);
  return multiple && multiple->factor == 1 ? std::optional(multiple->constant) : std::nullopt;
}

std::optional<MultipleOfCount> multiple_of_count(const Value& number, const Names& names) {
  if (!number.is(ValueKind::kSymbol)) return std::nullopt;
  const std::optional<MultipleOfCount> found = multiple_of(number.name, names);
  return found && found->factor != 0 ? found : std::nullopt;
}

bool reaches_count(const Value& number, const Names& names, int devices) {
  const std::optional<MultipleOfCount> multiple = multiple_of_count(number, names);
  return multiple && multiple->factor >= 1 &&
         (multiple->factor - 1) * devices + multiple->constant >= 0;
}

bool names_device(std::string_view text) { return parse_device(text).is_known(); }

bool has_device_keys(const Object& table, const Names& names) {
  return !table.keys.empty() && std::ranges::all_of(table.keys, [&](const Value& key) {
    return key.is(ValueKind::kString) && names_device(names.text(key.name));
  });
}

Value literal_value(const ir::Literal& literal, Names& names) {
  if (const bool* b = std::get_if<bool>(&literal)) return Value::boolean(*b);
  if (const int64_t* n = std::get_if<int64_t>(&literal)) return Value::integer(*n);
  if (const std::string* s = std::get_if<std::string>(&literal))
    return Value::string(names.intern(*s));
  if (const auto* d = std::get_if<ir::DeviceLiteral>(&literal))
    return Value::device(parse_device(d->text));
  if (std::holds_alternative<double>(literal)) {
    return Value::symbol(names.intern(kSomeFloat));
  }
  return Value::none();
}

std::optional<bool> truth(const Value& value) {
  switch (value.kind) {
    case ValueKind::kBool:
    case ValueKind::kInt:
      return value.number != 0;
    case ValueKind::kNone:
      return false;
    case ValueKind::kObject:
      return true;
    default:
      return std::nullopt;
  }
}

std::optional<Name> null_test(const State& state, const Value& value, Names& names) {
  // An optional tensor of the caller's.
  if (value.is_tensor() && value.place.kind == PlaceKind::kAlike)
    return names.term(kIsNull, {value.place.symbol});
  const Object* object = value.is_object() ? state.object_of(value) : nullptr;
  if (!object || !object->may_be_null) return std::nullopt;
  return names.term(kIsNull, {object->symbol});
}

bool is_same_device(Name condition, const Names& names) {
  return names.is_term(condition, kSameDevice);
}

bool assumes_same_device(const State& state, const Names& names) {
  return std::any_of(state.assumptions.begin(), state.assumptions.end(), [&](const auto& entry) {
    return entry.second && is_same_device(entry.first, names);
  });
}

std::optional<bool> assume_equal(State& state, Name symbol, const Value& constant, Names& names) {
  const std::optional<Value> is_it =
      evaluate("op.eq", Value::symbol(symbol), constant, names, /*devices=*/0);
  if (!is_it || !is_it->is(ValueKind::kSymbol)) return std::nullopt;
  const Condition condition = strip_negations(is_it->name, names);
  const std::optional<bool> known = decided(state, condition.name, names);
  if (known && *known != condition.holds) return std::nullopt;
  if (!known && is_about_lost(condition.name, names)) state.lose(condition.name);
  state.assume(condition.name, condition.holds);
  return known.has_value();
}

std::optional<int64_t> difference_of(const Value& a, const Value& b, const Names& names) {
  if (!a.is(ValueKind::kSymbol) || !b.is(ValueKind::kSymbol)) return std::nullopt;
  const Sum x = sum_of(a.name, names), y = sum_of(b.name, names);
  const bool is_known = x.base == y.base && is_one(x.base, names);
  return is_known ? std::optional(x.constant - y.constant) : std::nullopt;
}

// `strcmp(a, b) == 0`: what is itself a condition is compared with 0.
static std::optional<Value> fold_truth(std::string_view operation, const Value& a, const Value& b,
                                       Names& names) {
  if (operation != "op.eq" && operation != "op.ne") return std::nullopt;
  const auto is_false = [](const Value& value) { return is_number(value) && value.number == 0; };
  const auto is_condition = [&](const Value& value) {
    return value.is(ValueKind::kSymbol) &&
           (names.is_term(value.name, "eq") || names.is_term(value.name, "lt") ||
            names.is_term(value.name, "not"));
  };
  const bool is_first = is_condition(a) && is_false(b);
  if (!is_first && !(is_false(a) && is_condition(b))) return std::nullopt;
  const Name condition = is_first ? a.name : b.name;
  return Value::symbol(operation == "op.eq" ? negated(condition, names) : condition);
}

std::optional<Value> evaluate(std::string_view operation, const Value& a, const Value& b,
                              Names& names, int devices) {
  if (operation == "op.not") {
    if (std::optional<bool> known = truth(a)) return Value::boolean(!*known);
  }
  if (makes_float(operation, a, b, names)) return Value::symbol(names.intern(kSomeFloat));
  if (a.is(ValueKind::kDevice) && b.is(ValueKind::kDevice)) return compare_devices(operation, a, b);
  bool equality = operation == "op.eq" || operation == "op.ne";
  if (a.is(ValueKind::kString) && b.is(ValueKind::kString)) {
    if (equality) return Value::boolean((a.name == b.name) == (operation == "op.eq"));
    if (operation == "op.add")
      return Value::string(names.intern(names.text(a.name) + names.text(b.name)));
  }
  if (equality && (a.is(ValueKind::kString) || b.is(ValueKind::kString))) {
    const Value& literal = a.is(ValueKind::kString) ? a : b;
    const Value& text = a.is(ValueKind::kString) ? b : a;
    const std::optional<bool> are_equal = TextPattern(text, names).equals(names.text(literal.name));
    if (are_equal) return Value::boolean(*are_equal == (operation == "op.eq"));
  }
  if (operation == "op.letter" && a.is(ValueKind::kString) && b.is(ValueKind::kInt)) {
    const std::string& text = names.text(a.name);
    size_t at = b.number < 0 ? text.size() + b.number : b.number;
    return at < text.size() ? Value::integer(text[at]) : Value::unknown();
  }
  if (is_number(a) && (is_number(b) || operation == "op.neg")) {
    if (auto known = compare(operation, a.number, b.number)) return Value::boolean(*known);
    if (auto number = compute(operation, a.number, b.number)) return Value::integer(*number);
  }
  if (auto known = compare_positive(operation, a, b, names)) return Value::boolean(*known);
  // Devices count from zero: against a number below, any of them compares like the first.
  auto is_current = [&](const Value& v) {
    return v.is(ValueKind::kSymbol) && names.text(v.name) == kCallersDevice;
  };
  auto is_negative = [](const Value& v) { return is_number(v) && v.number < 0; };
  if ((is_current(a) && is_negative(b)) || (is_negative(a) && is_current(b))) {
    const int64_t left = is_current(a) ? 0 : a.number, right = is_current(b) ? 0 : b.number;
    if (auto known = compare(operation, left, right)) return Value::boolean(*known);
  }
  if (is_number(b) || (equality && is_number(a))) {
    // `device_count() - 1 > 0` is `device_count() > 1`.
    const Value& number = is_number(b) ? b : a;
    const std::optional<int64_t> offset = offset_from_count(is_number(b) ? a : b, names);
    const auto known =
        offset ? compare_device_count(operation, number.number - *offset, devices) : std::nullopt;
    if (known) return Value::boolean(*known);
  }
  if (std::optional<Value> known = compare_multiples(operation, a, b, names, devices)) return known;
  if (std::optional<Value> folded = fold_neutral(operation, a, b)) return folded;
  if (std::optional<Value> folded = fold_truth(operation, a, b, names)) return folded;
  if (std::optional<Value> folded = fold_by_device_count(operation, a, b, names, devices))
    return folded;
  if (std::optional<Value> folded = fold_division(operation, a, b, names)) return folded;
  if (std::optional<Value> folded = fold_sum(operation, a, b, names)) return folded;
  if (std::optional<Value> folded = fold_difference(operation, a, b, names)) return folded;
  if (equality && are_apart(a, b)) return Value::boolean(operation == "op.ne");
  auto is_there = [](const Value& v) {
    return v.is_object() || v.is(ValueKind::kString) || v.is(ValueKind::kDevice);
  };
  bool objects = (is_there(a) || a.is(ValueKind::kNone)) && (is_there(b) || b.is(ValueKind::kNone));
  if (equality && objects && (a.is(ValueKind::kNone) || b.is(ValueKind::kNone))) {
    return Value::boolean((a.kind == b.kind) == (operation == "op.eq"));
  }
  auto is_named = [](const Value& v) {
    return v.is_scalar() || v.is_opaque() || v.is(ValueKind::kNone);
  };
  bool scalars = is_named(a) && is_named(b);
  if (!scalars) return std::nullopt;
  return symbolic_operation(operation, a, b, names);
}

std::optional<Value> answer_of(std::string_view question, std::span<const Value> about,
                               Names& names) {
  std::vector<Name> operands;
  size_t length = 0;
  for (const Value& each : about) {
    std::optional<Name> operand = identity_of(each, names);
    if (!operand) return std::nullopt;
    operands.push_back(*operand);
    length += names.text(*operand).size();
  }
  if (operands.empty() || length > kMaxKeyLength) return std::nullopt;
  return Value::symbol(names.term(question, std::move(operands)));
}

ObjectId array_of(const State& state, const Value& container) {
  bool is_data = container.is(ValueKind::kAddress) && container.taken &&
                 container.path == Value::kEachElement && state.has(container.object);
  return is_data ? container.object : state.object_id_of(container);
}

Value element_address(State& state, const Value& container, const Value& index, Names& names) {
  Value direct = state.read(container);
  if (direct.is_tensor()) return direct;
  if (std::optional<Value> variable = variable_at(state, container, index)) return *variable;
  ObjectId id = array_of(state, container);
  if (id == kNoObject) return direct.is_pointer() ? within(direct) : Value::unknown();
  const bool is_unordered_list = is_unordered(state.object(id), names);
  const bool is_position = index.is(ValueKind::kInt) && !is_unordered_list;
  if (is_position && !state.object(id).is_map) extend(state, id, index.number);
  const Object& object = state.object(id);
  // What is kept for each device is not that of another one.
  if (object.is_map && index.is(ValueKind::kSymbol) && names.is_term(index.name, kSomeDevice))
    return Value::unknown();
  if (!object.keys.empty() || index.is(ValueKind::kString) || object.is_map) {
    bool has_all_keys = object.kind == ObjectKind::kContainer && !object.open &&
                        is_key(object, index) && object.keys.size() == object.elements.size();
    auto has_key = [&](const Value& key) { return same(key, index); };
    if (has_all_keys && std::none_of(object.keys.begin(), object.keys.end(), has_key)) {
      append(state.edit(id), Value::none(), index);
      return element_address(state, container, index, names);
    }
    for (size_t i = 0; i < object.keys.size(); ++i) {
      if (same(object.keys[i], index)) return Value::address(id, static_cast<int32_t>(i));
    }
    return one_element(state, id, index, names);
  }
  if (is_position) {
    int64_t size = static_cast<int64_t>(object.elements.size());
    int64_t position = index.number < 0 ? index.number + size : index.number;
    if (position >= 0 && position < size) return Value::address(id, static_cast<int32_t>(position));
  }
  return one_element(state, id, index, names);
}

bool is_table(const Object& container) { return container.is_map || !container.keys.empty(); }

bool key_lacks_device(const State& state, const Value& key, const Names& names) {
  const Object* parts = state.object_of(key);
  if (parts && parts->kind == ObjectKind::kTuple) {
    return std::ranges::all_of(parts->elements, [&](const Value& part) {
      return key_lacks_device(state, state.read(part), names);
    });
  }
  return key.is(ValueKind::kSymbol) && names.is_term(key.name, kTensorSize);
}

std::optional<bool> has_key(const Object& table, const Value& key) {
  const bool is_empty = table.kind == ObjectKind::kContainer && !table.open && table.symbol == 0 &&
                        table.elements.empty();
  if (is_empty) return false;
  if (!is_key(table, key)) return std::nullopt;
  const auto is_it = [&](const Value& each) { return same(each, key); };
  if (std::ranges::any_of(table.keys, is_it))
    return table.may_lack_keys ? std::nullopt : std::optional(true);
  const auto is_known = [&](const Value& each) { return is_key(table, each); };
  const bool is_whole = table.kind == ObjectKind::kContainer && is_table(table) && !table.open &&
                        table.keys.size() == table.elements.size() &&
                        std::ranges::all_of(table.keys, is_known);
  return is_whole ? std::optional(false) : std::nullopt;
}

Object open_list(const Value& element) {
  Object list;
  list.kind = ObjectKind::kContainer;
  list.open = true;
  list.rest = element;
  return list;
}

void open_container(Object& container) {
  Value all = container.open ? container.rest : Value::none();
  for (const Value& element : container.elements) all = join(all, element, 0);
  container.elements.clear();
  container.keys.clear();
  container.open = true;
  container.rest = all;
}

bool is_unordered(const Object& list, Names& names) {
  return list.open && list.find(names.intern(kUnordered));
}

void forget_order(Object& list, Names& names) {
  if (!list.keys.empty() || list.is_map || list.open) return open_container(list);
  list.kind = ObjectKind::kContainer;
  list.open = true;
  list.rest = Value::none();
  list.set(names.intern(kUnordered), Value::boolean(true));
}

void add_once(std::vector<Value>& elements, const Value& value) {
  const auto is_it = [&](const Value& each) { return same(each, value); };
  if (!value.is_object() || std::ranges::none_of(elements, is_it)) elements.push_back(value);
}

bool forget_count(Object& list, Names& names) {
  if (list.is_map || !list.keys.empty()) return false;
  if (list.open && !list.rest.is(ValueKind::kNone) && !list.rest.is_object()) return false;
  if (!std::ranges::all_of(list.elements, &Value::is_object)) return false;
  std::vector<Value> distinct;
  for (const Value& each : list.elements) add_once(distinct, each);
  if (list.open && list.rest.is_object()) add_once(distinct, list.rest);
  if (distinct.size() < 2 || distinct.size() > kMaxElements) return false;
  list.elements = std::move(distinct);
  list.open = false;
  forget_order(list, names);
  return true;
}

void append(Object& container, const Value& value, const Value& key) {
  bool keyed = !key.is(ValueKind::kNone);
  bool keyed_so_far = !container.keys.empty() || container.elements.empty();
  if (keyed && is_key(container, key) && keyed_so_far && !container.open) {
    for (size_t i = 0; i < container.keys.size(); ++i) {
      if (!same(container.keys[i], key)) continue;
      container.elements[i] = value;
      return;
    }
    if (container.elements.size() < kMaxElements) {
      container.keys.push_back(key);
      container.elements.push_back(value);
      return;
    }
  }
  const bool is_unordered_list = !keyed && container.open && container.keys.empty() &&
                                 !container.elements.empty() && container.rest.is(ValueKind::kNone);
  if (is_unordered_list && value.is_object() && container.elements.size() < kMaxElements)
    return add_once(container.elements, value);
  if (keyed || container.open || container.elements.size() >= kMaxElements) {
    open_container(container);
    container.rest = join(container.rest, value, 0);
    return;
  }
  container.elements.push_back(value);
}

}  // namespace placecheck::dataflow
