// Abstract values: what is known of one variable, field, element or result.
#pragma once

#include <cstdint>

#include "analyzer/dataflow/names.h"
#include "analyzer/dataflow/place.h"

namespace placecheck::dataflow {

using ObjectId = uint32_t;
using OriginId = uint32_t;  // into Origins; 0: nothing is known
using GapId = uint32_t;     // of a PlaceRecorder; 0: no reason is known
// Paths that met disagreed.
inline constexpr GapId kJoinedGap = 1;
// Symbols for what several paths have joined to begin so.
inline constexpr char kJoined[] = "join";
// And those for what a number is in some iteration of a loop.
inline constexpr char kIterated[] = "loop<";
inline constexpr ObjectId kNoObject = ~ObjectId{0};

enum class ValueKind : uint8_t {
  kUnknown,  // `name`, where there is one, says that it is equal to itself
  kNone,     // null, undefined, not yet assigned
  kBool,
  kInt,
  kString,
  kSymbol,  // a scalar or string that is not known but equal to itself
  kDevice,
  kOptions,  // tensor options; `has_place` says whether they name a device
  kTensor,
  kObject,
  kAddress,
  kPointer,     // leads to memory whose content is not followed; `place`: where that is
  kHandle,      // a stream, event, communicator, ...: `name` says what, `place` whose
  kParameters,  // the parameters or buffers of the module `object`
};

// Tensor ranks: a 0-dim CPU tensor may meet CUDA tensors in elementwise operations.
enum class Rank : uint8_t {
  kUnknown,
  kScalar,
  kNonScalar,  // at least one dimension
  kMatrix,     // at least two
  kCube,       // at least three
  kHyper,      // at least four
  kBatch,      // at least one that counts several elements: squeeze() leaves it
};
// The number of dimensions that there are at least; 0 where it is not known.
constexpr int min_dimensions(Rank rank) {
  if (rank == Rank::kBatch) return 1;
  return rank <= Rank::kScalar ? 0 : static_cast<int>(rank) - static_cast<int>(Rank::kScalar);
}
constexpr Rank at_least(int dimensions) {
  constexpr int kMost = min_dimensions(Rank::kHyper);
  if (dimensions <= 0) return Rank::kUnknown;
  int counted = dimensions < kMost ? dimensions : kMost;
  return static_cast<Rank>(static_cast<int>(Rank::kScalar) + counted);
}
constexpr bool is_non_scalar(Rank rank) { return min_dimensions(rank) > 0; }

struct Value {
  // Addresses: the element `path` of `object`, one of these, or the field `name`.
  static constexpr int32_t kField = -1;
  static constexpr int32_t kSomeElement = -2;  // one of them, it is not known which
  static constexpr int32_t kEachElement = -3;  // the one at hand while a loop visits all
  static constexpr int32_t kBoxed = -4;        // the content of a boxed variable
  static constexpr int32_t kNotInput = -1;
  // Pointers: the memory itself rather than the way to it.
  static constexpr int32_t kWithin = -5;
  // Options and pointers, of memory of the host (`number`): devices can use it as well.
  static constexpr int64_t kPinned = 1;
  static constexpr int64_t kPerhapsPinned = 2;
  // The parameters of a module: it is its buffers.
  static constexpr int64_t kBuffers = 1;
  static constexpr int64_t kParametersAndBuffers = 2;
  // A tensor that certainly has no elements: a program may ask for that before it uses it.
  static constexpr int64_t kWithoutElements = 1;
  // A tensor that a transfer has made of one that requires a gradient: no leaf of the graph; of a
  // parameter that no module has.
  static constexpr int64_t kNonLeaf = 2;
  static constexpr int64_t kNonLeafParameter = 3;
  // What several replicas have returned as a number each: a vector.
  static constexpr int64_t kGatheredScalars = 4;

  ValueKind kind = ValueKind::kUnknown;
  Rank rank = Rank::kUnknown;
  bool has_place = false;
  bool bound = false;  // in a slot: the slot is another name of this address
  bool requires_grad = false;
  bool stray = false;     // a tensor of a module's member that is not registered; `name` says which
  bool taken = false;     // an address: what is meant is the memory there, not what it holds
  bool borrowed = false;  // an object kept in a member that was handed to its class from outside
  // A device, a number or a truth that a tensor was asked for: where it lives. No part of what is
  // compared.
  bool asked = false;
  // One of several that the same object stands for, or the address of one: what changes it leaves
  // the others as they are. No part of what is compared.
  bool one_of = false;
  // The address of some element of a table: its key names no device, so that the element may have
  // been stored for any. No part of what is compared.
  bool key_lacks_device = false;
  int32_t path = 0;
  int32_t input = kNotInput;  // the ordinal of the function's input that decided the place
  ObjectId object = kNoObject;
  OriginId origin = 0;  // where the place was decided
  Name name = 0;        // kString: the text; kSymbol: the key; kAddress: the field
  Place place;
  // Why the place is not known, while that is recorded. No part of what is compared.
  GapId gap = 0;
  int64_t number = 0;  // kBool, kInt

  bool is_non_leaf() const {
    return kind == ValueKind::kTensor && (number == kNonLeaf || number == kNonLeafParameter);
  }
  static Value unknown() { return {}; }
  // Of which nothing is known but that it is itself: what is asked of it has one answer.
  static Value opaque(Name identity) { return named(ValueKind::kUnknown, identity); }
  // A part of something unknown comes from where that does.
  static Value unknown_part(const Value& whole) {
    Value part;
    part.origin = whole.is(ValueKind::kUnknown) ? whole.origin : 0;
    return part;
  }
  static Value none() { return of(ValueKind::kNone); }
  static Value of(ValueKind kind) {
    Value value;
    value.kind = kind;
    return value;
  }
  static Value boolean(bool b) { return with_number(ValueKind::kBool, b ? 1 : 0); }
  static Value integer(int64_t n) { return with_number(ValueKind::kInt, n); }
  static Value with_number(ValueKind kind, int64_t number) {
    Value value = of(kind);
    value.number = number;
    return value;
  }
  static Value string(Name text) { return named(ValueKind::kString, text); }
  static Value symbol(Name key) { return named(ValueKind::kSymbol, key); }
  static Value named(ValueKind kind, Name name) {
    Value value = of(kind);
    value.name = name;
    return value;
  }
  static Value device(Place place) {
    Value value = of(ValueKind::kDevice);
    value.place = place;
    value.has_place = true;
    return value;
  }
  static Value options() { return of(ValueKind::kOptions); }
  static Value tensor(Place place, Rank rank = Rank::kUnknown) {
    Value value = of(ValueKind::kTensor);
    value.place = place;
    value.has_place = true;
    value.rank = rank;
    return value;
  }
  static Value object_ref(ObjectId object) {
    Value value = of(ValueKind::kObject);
    value.object = object;
    return value;
  }
  static Value address(ObjectId object, int32_t path, Name field = 0) {
    Value value = of(ValueKind::kAddress);
    value.object = object;
    value.path = path;
    value.name = field;
    return value;
  }
  static Value pointer(Place place, OriginId origin, int64_t number = 0) {
    Value value = with_number(ValueKind::kPointer, number);
    value.place = place;
    value.has_place = true;
    value.origin = origin;
    return value;
  }
  static Value handle(Name what, Place place, OriginId origin) {
    Value value = named(ValueKind::kHandle, what);
    value.place = place;
    value.has_place = true;
    value.origin = origin;
    return value;
  }
  static Value parameters(ObjectId module) {
    Value value = of(ValueKind::kParameters);
    value.object = module;
    return value;
  }

  bool is(ValueKind k) const { return kind == k; }
  bool is_opaque() const { return kind == ValueKind::kUnknown && name != 0; }
  // Whether conditions can speak of it by its name.
  bool has_identity() const { return kind == ValueKind::kSymbol || is_opaque(); }
  bool is_tensor() const { return kind == ValueKind::kTensor; }
  bool is_pointer() const { return kind == ValueKind::kPointer; }
  bool is_handle() const { return kind == ValueKind::kHandle; }
  bool is_object() const { return kind == ValueKind::kObject; }
  bool is_scalar() const {
    return kind == ValueKind::kBool || kind == ValueKind::kInt || kind == ValueKind::kString ||
           kind == ValueKind::kSymbol;
  }
  bool refers_to_object() const {
    return object != kNoObject && (kind == ValueKind::kObject || kind == ValueKind::kAddress ||
                                   kind == ValueKind::kParameters);
  }
};

// Equality of what is known, not of where it was learnt (origin, input).
bool same(const Value& a, const Value& b);

// The same, with numbers and symbols taken as equal: they say nothing about places by themselves.
bool alike(const Value& a, const Value& b);
// The same, or any numbers and texts.
bool agree_on_places(const Value& a, const Value& b);

// Mixes a word into a digest.
inline uint64_t mix(uint64_t digest, uint64_t word) {
  digest = (digest ^ word) * 0x9E3779B97F4A7C15u;
  return digest ^ (digest >> 32);
}

// alike(), or agree_on_places().
enum class Likeness : uint8_t { kButForNumbers, kInPlaces };
// Equal for what is so.
uint64_t digest(const Value& value, Likeness likeness);

// The `number` of a text that stands for several keys of a table, or for one that is no text: a
// tuple, a tuple of which some parts are not known, and a text of which some letters are not.
inline constexpr int64_t kTupleKey = 2;
inline constexpr int64_t kPartOfTupleKey = 3;
inline constexpr int64_t kPartOfTextKey = 4;
inline bool is_tuple_key(const Value& value) {
  return value.is(ValueKind::kString) &&
         (value.number == kTupleKey || value.number == kPartOfTupleKey);
}
inline bool is_compound_key(const Value& value) {
  return is_tuple_key(value) || (value.is(ValueKind::kString) && value.number == kPartOfTextKey);
}

uint64_t hash(const Value& value);

Rank join(Rank a, Rank b);

// The least upper bound, with undefined taken as "any value": what it would have been is decided
// where it is defined. `fresh` is the key of a symbol for scalars that
// differ; 0: they become unknown.
Value join(const Value& a, const Value& b, Name fresh);

}  // namespace placecheck::dataflow
