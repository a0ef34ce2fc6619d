// Arithmetic and comparisons: of numbers, texts and devices, and with what may not be there.
#include <algorithm>
#include <utility>

#include "analyzer/dataflow/conditions.h"
#include "analyzer/dataflow/dynamic.h"
#include "analyzer/dataflow/effects.h"
#include "analyzer/dataflow/identity.h"
#include "analyzer/dataflow/scalars.h"

namespace placecheck::dataflow {
namespace {

std::string_view comparison_of(const std::string& name) {
  static constexpr std::pair<std::string_view, std::string_view> kSpellings[] = {
      {"operator==", "op.eq"},
      {"operator!=", "op.ne"},
      {"operator+", "op.add"},
      {"operator<", "op.lt"}};
  for (const auto& [spelled, operation] : kSpellings) {
    if (ir::last_component(name) == spelled) return operation;
  }
  return "";
}

// `cuda`, without an index, and `cuda:0` are of one type, but not equal. Python has no values of
// types, and a device is not equal to a text.
std::optional<Value> compares_indexed_devices(CallContext& context, std::string_view operation,
                                              const Value& a, const Value& b) {
  const bool compares = operation == "op.eq" || operation == "op.ne";
  const bool is_python = is_dynamic(context.activation.function());
  const bool is_of_devices = is_python || context.call().name.starts_with("c10::Device::operator");
  if (!compares || !is_of_devices) return std::nullopt;
  const Place current = Place::cuda(Place::kCurrent);
  const auto is_indexed = [](const Value& device) {
    return device.is(ValueKind::kDevice) && device.place.kind == PlaceKind::kCuda &&
           device.place.index >= 0;
  };
  const auto has_none = [&](const Value& device) {
    return device.is(ValueKind::kDevice) && device.place == current;
  };
  const auto are_device_and_text = [](const Value& device, const Value& text) {
    return device.is(ValueKind::kDevice) && text.is(ValueKind::kString);
  };
  const bool differ = (is_indexed(a) && has_none(b)) || (has_none(a) && is_indexed(b)) ||
                      (is_python && (are_device_and_text(a, b) || are_device_and_text(b, a)));
  if (!differ) return std::nullopt;
  Value answer = Value::boolean(operation == "op.ne");
  answer.asked = a.asked || b.asked;
  return answer;
}

// Whether a tensor is compared with nothing.
bool asks_for_tensor(CallContext& context) {
  if (context.count() != 2) return false;
  const Value a = context.read(0), b = context.read(1);
  return (a.is_tensor() && b.is(ValueKind::kNone)) || (a.is(ValueKind::kNone) && b.is_tensor());
}

// Whether what came from outside is there at all: `!p`, `p == nullptr`, `p != nullptr`.
std::optional<Value> asks_for_null(CallContext& context, std::string_view operation) {
  bool compares = context.count() == 2 && (operation == "op.eq" || operation == "op.ne");
  if (!compares && operation != "op.not") return std::nullopt;
  Value a = context.read(0);
  Value b = compares ? context.read(1) : Value::none();
  if (!a.is(ValueKind::kNone) && !b.is(ValueKind::kNone)) return std::nullopt;
  const Value& asked = a.is(ValueKind::kNone) ? b : a;
  std::optional<Name> is_null = null_test(context.state, asked, context.activation.names());
  if (!is_null) return std::nullopt;
  return Value::symbol(operation == "op.ne" ? negated(*is_null, context.activation.names())
                                            : *is_null);
}

// `not text`, `not list`, in Python.
std::optional<Value> asks_for_content(CallContext& context, std::string_view operation,
                                      const Value& a) {
  if (operation != "op.not" || !is_dynamic(context.activation.function())) return std::nullopt;
  const std::optional<bool> has_content =
      content_truth(context.state, a, context.activation.names());
  return has_content ? std::optional(Value::boolean(!*has_content)) : std::nullopt;
}

// `it == m.end()`, where `it` is what a look-up has found.
std::optional<Value> asks_for_end(CallContext& context, std::string_view operation) {
  if (context.count() != 2 || (operation != "op.eq" && operation != "op.ne")) return std::nullopt;
  const auto is_end = [&](size_t argument) {
    const ir::Instruction* made =
        context.activation.find_definition(context.call().arguments[argument].value);
    const bool is_call = made && made->opcode == ir::Opcode::kCall;
    const std::string_view method = is_call ? ir::last_component(made->call.name) : "";
    return method == "end" || method == "cend";
  };
  if (context.call().arguments.size() != 2 || is_end(0) == is_end(1)) return std::nullopt;
  const Value found = context.state.unboxed(context.arguments[is_end(0) ? 1 : 0]);
  if (found.is(ValueKind::kNone)) return Value::boolean(operation == "op.eq");
  if (!found.is(ValueKind::kAddress) || !context.state.has(found.object)) return std::nullopt;
  const Object& table = context.state.object(found.object);
  if (!is_table(table)) return std::nullopt;
  if (found.path >= 0) return Value::boolean(operation == "op.ne");
  if (found.path != Value::kSomeElement) return std::nullopt;
  return found.key_lacks_device
             ? context.activation.fresh_symbol(context.instruction, context.state)
             : lost_answer(context);
}

// Whether two objects that the program made are one.
std::optional<Value> compare_objects(CallContext& context, std::string_view operation) {
  if (context.count() != 2 || (operation != "op.eq" && operation != "op.ne")) return std::nullopt;
  const auto known_object = [&](size_t argument) {
    const Value value = context.read(argument);
    const ObjectId id = value.is_object() && !value.one_of ? value.object : kNoObject;
    const bool is_one = id != kNoObject && context.state.has(id) &&
                        context.state.object(id).is_module() && context.state.object(id).complete &&
                        context.state.object(id).symbol == 0 &&
                        !context.state.object(id).may_be_null;
    return is_one ? id : kNoObject;
  };
  const ObjectId a = known_object(0), b = known_object(1);
  if (a == kNoObject || b == kNoObject) return std::nullopt;
  return Value::boolean((a == b) == (operation == "op.eq"));
}

// Whether two names of libraries, or of their parts, are one: `backend == np`. Within a library one
// thing may have two names.
std::optional<Value> compare_libraries(CallContext& context, std::string_view operation) {
  if (context.count() != 2 || (operation != "op.eq" && operation != "op.ne")) return std::nullopt;
  const std::optional<std::string> a = library_name(context, context.read(0));
  const std::optional<std::string> b = a ? library_name(context, context.read(1)) : std::nullopt;
  const auto package = [](const std::string& name) { return name.substr(0, name.find('.')); };
  if (!a || !b || (*a != *b && package(*a) == package(*b))) return std::nullopt;
  return Value::boolean((*a == *b) == (operation == "op.eq"));
}

// `type(x) == list`.
std::optional<Value> compare_types(CallContext& context, std::string_view operation) {
  if (context.count() != 2 || (operation != "op.eq" && operation != "op.ne")) return std::nullopt;
  const std::optional<bool> are_same = are_same_types(context, context.read(0), context.read(1));
  if (!are_same) return std::nullopt;
  return Value::boolean(*are_same == (operation == "op.eq"));
}

// Whether a text is the type of a tensor on a GPU; nothing for other texts.
std::optional<bool> is_type_on_gpu(const Value& text, const Names& names) {
  if (text.is(ValueKind::kSymbol) && names.is_term(text.name, kTensorType))
    return names.text(names.operands(text.name)[0]) == "cuda";
  const bool is_type = text.is(ValueKind::kString) && names.text(text.name).ends_with("Tensor");
  return is_type ? std::optional(names.text(text.name).starts_with("torch.cuda.")) : std::nullopt;
}

// `x.type() == y.type()`: whatever the elements are, they are not on devices of two kinds.
std::optional<Value> compare_tensor_types(CallContext& context, std::string_view operation,
                                          const Value& a, const Value& b) {
  if (operation != "op.eq" && operation != "op.ne") return std::nullopt;
  const std::optional<bool> one = is_type_on_gpu(a, context.activation.names());
  const std::optional<bool> other = is_type_on_gpu(b, context.activation.names());
  if (!one || !other || *one == *other) return std::nullopt;
  return Value::boolean(operation == "op.ne");
}

// Wherever two tensors live, the answer is one condition, as it is for their devices' numbers.
std::optional<Value> compares_places(CallContext& context, std::string_view operation,
                                     const Value& a, const Value& b) {
  auto is_somewhere = [](const Value& v) {
    return v.is(ValueKind::kDevice) && v.place.kind == PlaceKind::kAlike;
  };
  bool compares = operation == "op.eq" || operation == "op.ne";
  if (!compares || !is_somewhere(a) || !is_somewhere(b)) return std::nullopt;
  return evaluate(operation, number_of(context, a.place), number_of(context, b.place),
                  context.activation.names(), context.activation.assumed_devices());
}

// Whether a device that is known is one that is not.
std::optional<Value> asks_for_unknown_device(CallContext& context, std::string_view operation,
                                             const Value& a, const Value& b) {
  bool compares = operation == "op.eq" || operation == "op.ne";
  auto is_known = [](const Value& v) { return v.is(ValueKind::kDevice) && v.place.is_known(); };
  auto is_open = [](const Value& v) {
    return v.is(ValueKind::kUnknown) || (v.is(ValueKind::kDevice) && !v.place.is_known());
  };
  bool asks = (is_known(a) && is_open(b)) || (is_open(a) && is_known(b));
  if (!compares || !asks) return std::nullopt;
  Activation& activation = context.activation;
  // `x.device().type() == kCUDA`.
  const Place& known = is_known(a) ? a.place : b.place;
  const Place& open = is_known(a) ? b.place : a.place;
  const bool is_type = known.is_cpu() || known == Place::cuda(Place::kCurrent);
  if (is_type && open.kind == PlaceKind::kAlike) {
    const Name is_cuda = activation.names().term(kIsCuda, {open.symbol});
    const bool is_asked = known.is_cpu() != (operation == "op.eq");
    return Value::symbol(is_asked ? is_cuda : negated(is_cuda, activation.names()));
  }
  Value answer = activation.fresh_symbol(context.instruction, context.state);
  Name is_same = activation.names().term(kSameDevice, {answer.name});
  return Value::symbol(operation == "op.ne" ? negated(is_same, activation.names()) : is_same);
}

// The least that a number can be: of how many devices there are, a lower bound is assumed.
std::optional<int64_t> least(CallContext& context, const Value& number) {
  if (number.is(ValueKind::kInt)) return number.number;
  if (!number.is(ValueKind::kSymbol)) return std::nullopt;
  const Names& names = context.activation.names();
  const int devices = context.activation.assumed_devices();
  if (is_device_count(number, names)) return devices;
  if (!names.is_term(number.name, "sub")) return std::nullopt;
  const std::vector<Name>& parts = names.operands(number.name);
  const std::optional<int64_t> less = names.integer(parts[1]);
  const bool is_difference = names.text(parts[0]) == kDeviceCount && less;
  return is_difference ? std::optional(devices - *less) : std::nullopt;
}

// Of two numbers, that which is certainly no greater than the other.
std::optional<size_t> lesser_of(CallContext& context) {
  for (size_t i = 0; i < 2; ++i) {
    const Value number = context.read(i);
    std::optional<int64_t> other = least(context, context.read(1 - i));
    if (number.is(ValueKind::kInt) && other && number.number <= *other) return i;
  }
  return std::nullopt;
}

}  // namespace

Value lost_answer(CallContext& context) {
  const Name answer = context.activation.fresh_symbol(context.instruction, context.state).name;
  return Value::symbol(lost_identity(answer, context.activation.names()));
}

bool choice_effect(CallContext& context, models::Effect effect, Value& result) {
  bool is_lesser = effect == models::Effect::kLesser;
  if ((!is_lesser && effect != models::Effect::kGreater) || context.count() != 2) return false;
  if (std::optional<size_t> lesser = lesser_of(context))
    result = context.read(is_lesser ? *lesser : 1 - *lesser);
  else
    result = context.activation.fresh_symbol(context.instruction, context.state);
  return true;
}

// In Python `/` of integers is no integer, and `//` rounds down.
std::string_view division_of(std::string_view operation, const Value& a, const Value& b) {
  const bool are_numbers = a.is(ValueKind::kInt) && b.is(ValueKind::kInt);
  if (operation == "op.div") {
    const bool is_exact =
        are_numbers && b.number != 0 && b.number != -1 && a.number % b.number == 0;
    return is_exact ? operation : "op.truediv";
  }
  const bool is_below_zero =
      (a.is(ValueKind::kInt) && a.number < 0) || (b.is(ValueKind::kInt) && b.number < 0);
  return operation == "op.floordiv" && !is_below_zero ? "op.div" : operation;
}

std::optional<Exits> arithmetic_of_batch(CallContext& context) {
  static constexpr std::string_view kOfTensors[] = {"op.add", "op.div", "op.pow", "op.sub"};
  const std::string& operation = context.call().name;
  const bool multiplies = operation == "op.mul";
  const bool is_of_tensors = std::ranges::find(kOfTensors, operation) != std::end(kOfTensors);
  if (context.count() != 2 || (!multiplies && !is_of_tensors)) return std::nullopt;
  for (size_t i = 0; i < 2; ++i) {
    const std::optional<Value> batch = batch_tensor(context, context.read(i));
    const Value number = context.read(1 - i);
    const bool is_number = is_some_float(number, context.activation.names()) ||
                           (number.is(ValueKind::kInt) && !multiplies);
    if (!batch || !is_number) continue;
    Given operands;
    for (size_t k = 0; k < 2; ++k) operands.add(k == i ? *batch : number, {}, k);
    return call_as(context, operands, operation);
  }
  return std::nullopt;
}

// Whether an optional has a tensor: where it has none, nothing is in it from then on.
std::optional<Exits> presence_of_tensor(CallContext& context) {
  const std::string& operation = context.call().name;
  if ((operation != "op.eq" && operation != "op.ne") || !asks_for_tensor(context))
    return std::nullopt;
  const Value& asked = context.arguments[context.read(0).is_tensor() ? 0 : 1];
  if (!asked.is(ValueKind::kAddress) ||
      !context.state.place_of(context.state.read(asked)).is_known())
    return std::nullopt;
  const Value is_there = context.activation.fresh_symbol(context.instruction, context.state);
  Exit with{context.state, is_there}, without{context.state, is_there};
  with.state.assume(is_there.name, true);
  without.state.assume(is_there.name, false);
  context.activation.assign(without.state, asked, Value::none());
  if (operation == "op.eq") {
    const Value is_null = Value::symbol(negated(is_there.name, context.activation.names()));
    with.value = without.value = is_null;
  }
  Exits exits;
  exits.push_back(std::move(with));
  exits.push_back(std::move(without));
  return exits;
}

bool is_scalar_operation(const std::string& name) { return name.starts_with("op."); }

bool scalar_operation(CallContext& context, Value& result) {
  const std::string& name = context.call().name;
  std::string_view operation =
      is_scalar_operation(name) ? std::string_view(name) : comparison_of(name);
  Value a = context.read(0);
  Value b = context.read(1);
  if (operation.empty()) return false;
  if (asks_for_tensor(context)) {
    result = context.activation.fresh_symbol(context.instruction, context.state);
    return true;
  }
  if (std::optional<Value> is_end = asks_for_end(context, operation)) {
    result = *is_end;
    return true;
  }
  if (a.is_tensor() || b.is_tensor()) return false;
  std::optional<Value> special = moved_pointer(context, operation);
  if (!special) special = asks_for_null(context, operation);
  if (!special) special = asks_for_content(context, operation, a);
  if (!special) special = compares_indexed_devices(context, operation, a, b);
  if (!special) special = compares_places(context, operation, a, b);
  if (!special) special = compare_objects(context, operation);
  if (!special) special = compare_libraries(context, operation);
  if (!special) special = compare_types(context, operation);
  if (!special) special = compare_tensor_types(context, operation, a, b);
  if (!special) special = compares_beginning(context, operation, a, b);
  if (!special && operation == "op.add") special = prefixed_key(context, a, b);
  if (special) {
    result = *special;
    return true;
  }
  // Of a text and something unknown, the text is known.
  if (operation == "op.add" && a.is(ValueKind::kString) && b.is(ValueKind::kUnknown))
    b = context.activation.fresh_symbol(context.instruction, context.state);
  Value other = context.count() > 1 ? b : Value::none();
  if (is_dynamic(context.activation.function())) operation = division_of(operation, a, other);
  std::optional<Value> known = evaluate(operation, a, other, context.activation.names(),
                                        context.activation.assumed_devices());
  if (!known) known = asks_for_unknown_device(context, operation, a, other);
  if (!known && !is_scalar_operation(name)) return false;
  result = known.value_or(Value::unknown());
  if (result.is(ValueKind::kUnknown))
    result = context.activation.fresh_symbol(context.instruction, context.state);
  result.asked = a.asked || b.asked;
  // What is made of a text that the program has looked into.
  if (operation == "op.add" && (was_looked_up(context, a) || was_looked_up(context, other)))
    note_question(context, result);
  return true;
}

}  // namespace placecheck::dataflow
