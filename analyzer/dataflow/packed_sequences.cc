#include "analyzer/dataflow/packed_sequences.h"

#include <string_view>
#include <utility>

namespace placecheck::dataflow {
namespace {

constexpr std::string_view kPacked = "torch.nn.utils.rnn.PackedSequence";
constexpr std::string_view kData = "data";
constexpr uint32_t kOrdinal = 835;

}  // namespace

Value make_packed(CallContext& context, const Value& tensor, uint32_t ordinal) {
  const Value data = context.state.decider_of(tensor);
  if (!data.is_tensor()) return Value::unknown();
  Object packed = context.library_object(kPacked);
  packed.complete = false;
  packed.set(context.name(kData), data);
  return context.make(std::move(packed), kOrdinal + ordinal);
}

std::optional<Value> packed_tensor(CallContext& context, const Value& value) {
  const Object* packed = context.state.object_of(value);
  const bool is_packed =
      packed && packed->kind == ObjectKind::kLibrary && packed->type_name == context.name(kPacked);
  const Value* data = is_packed ? packed->find(context.name(kData)) : nullptr;
  return data ? std::optional(*data) : std::nullopt;
}

Value unpacked(CallContext& context, const Value& packed) {
  const std::optional<Value> tensor = packed_tensor(context, packed);
  if (!tensor) return Value::unknown();
  Object pair;
  pair.kind = ObjectKind::kTuple;
  pair.elements = {*tensor, Value::tensor(Place::cpu(), Rank::kNonScalar)};
  return context.make(std::move(pair), kOrdinal + 2);
}

}  // namespace placecheck::dataflow
