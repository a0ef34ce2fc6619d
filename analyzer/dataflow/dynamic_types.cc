// Of which type a value is: isinstance, type.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/dataflow/conditions.h"
#include "analyzer/dataflow/dynamic.h"
#include "analyzer/dataflow/identity.h"
#include "analyzer/dataflow/scalars.h"
#include "analyzer/models/libraries/modules.h"
#include "analyzer/models/libraries/python_names.h"

namespace placecheck::dataflow {
namespace {

constexpr std::string_view kTypeOf = "<the value of the type>";

// The types of the language that a value has, as far as that is known; nullopt where it is not.
std::optional<bool> is_builtin(CallContext& context, const Value& value, std::string_view type) {
  static constexpr std::string_view kTypes[] = {"bool", "bytearray", "bytes",     "complex",
                                                "dict", "float",     "frozenset", "int",
                                                "list", "set",       "str",       "tuple"};
  if (std::ranges::find(kTypes, type) == std::end(kTypes)) return std::nullopt;
  const Object* object = context.state.object_of(value);
  if (value.is_tensor() || (object && object->is_module())) return false;
  if (is_tuple_key(value)) return type == "tuple";
  if (value.is(ValueKind::kString)) return type == "str" && value.number != kPath;
  if (value.is(ValueKind::kInt)) return type == "int";
  if (value.is(ValueKind::kBool)) return type == "bool" || type == "int";
  if (is_some_float(value, context.activation.names())) return type == "float";
  if (value.is(ValueKind::kNone) || (object && object->kind == ObjectKind::kClosure)) return false;
  if (!object || !is_list(*object)) return std::nullopt;
  // The tuples of a data set are lists in a batch.
  if (object->kind == ObjectKind::kTuple)
    return type == (object->find(context.name(kOfBatch)) ? "list" : "tuple");
  if (object->is_map) return type == "dict";
  if (object->is_known_list) return type == "list";
  // Sets, tuples that grew and lists from elsewhere are one kind here.
  if (type == "list" || type == "set" || type == "frozenset" || type == "tuple")
    return std::nullopt;
  return false;
}

// The abstract classes of collections.abc, for tables and sequences of the language.
std::optional<bool> is_collection(CallContext& context, const Value& value, std::string_view type) {
  const std::optional<bool> is_table = is_builtin(context, value, "dict");
  if (type == "Mapping" || type == "MutableMapping") return is_table;
  if (type != "Sequence" && type != "Iterable") return std::nullopt;
  if (is_table == true) return type == "Iterable";
  for (const std::string_view each : {"list", "tuple", "str"})
    if (is_builtin(context, value, each) == true) return true;
  if (type == "Iterable" && !value.is_scalar() && !value.is(ValueKind::kNone)) return std::nullopt;
  const bool is_known = value.is_tensor() || value.is(ValueKind::kInt) ||
                        value.is(ValueKind::kBool) || value.is(ValueKind::kNone);
  return is_known ? std::optional(false) : std::nullopt;
}

// Whether a value is certainly none of numpy's.
bool is_no_array(CallContext& context, const Value& value) {
  const Object* object = context.state.object_of(value);
  const bool is_known_object =
      object && (object->is_module() || is_list(*object) || object->kind == ObjectKind::kClosure);
  return value.is_tensor() || value.is(ValueKind::kString) || value.is(ValueKind::kInt) ||
         value.is(ValueKind::kBool) || value.is(ValueKind::kNone) || is_known_object;
}

bool names_collection(const std::string& library) {
  return library.starts_with("collections.") || library.starts_with("typing.");
}

bool derives_from_tensor(CallContext& context, const ir::Class& type) {
  auto is_named_like_one = [](const ir::Type& base) {
    const std::string_view name = ir::last_component(base.name);
    return name.ends_with("Tensor") || name.ends_with("Parameter");
  };
  return std::ranges::any_of(lookup_order(context.activation, type), [&](const ir::Class* each) {
    return std::ranges::any_of(each->bases, is_named_like_one);
  });
}

// Whether all bases are classes of the program or of torch.nn: of others it is not known what they
// derive from.
bool derives_only_from_layers(Activation& activation, const ir::Class& type) {
  const ir::Unit* unit = activation.program().program().unit_of(type);
  return std::ranges::all_of(lookup_order(activation, type), [&](const ir::Class* each) {
    return std::ranges::all_of(each->bases, [&](const ir::Type& base) {
      return base.name.starts_with("torch::nn::") ||
             activation.program().find_class(base.name, unit);
    });
  });
}

// Whether a module is of a class of torch.nn; nullopt where that is not known.
std::optional<bool> is_layer_of(CallContext& context, const Object& module,
                                const std::string& library) {
  if (library == "torch.nn.Module") return true;
  const std::string wanted = models::python_class_name(library);
  const models::ModuleModel* model = models::find_module_model(wanted);
  if (!model) return std::nullopt;
  const std::string& own = context.activation.names().text(module.type_name);
  if (module.type) {
    if (derives_from_library(context.activation, *module.type, wanted)) return true;
    if (!derives_only_from_layers(context.activation, *module.type)) return std::nullopt;
  } else if (own == wanted) {
    return true;
  }
  // Of the classes that are not listed there, others may derive; and a lazy layer becomes another.
  const bool is_listed = !model->name.empty();
  const bool may_change = own.starts_with("torch::jit::") || own.find("Lazy") != std::string::npos;
  return is_listed && !may_change ? std::optional(false) : std::nullopt;
}

// Whether a value is a function of the program, or a lambda; nullopt where that is not known.
std::optional<bool> is_function(CallContext& context, const Value& value) {
  const Object* object = context.state.object_of(value);
  if (object && object->kind == ObjectKind::kClosure) return true;
  const bool is_other_object = object && (object->is_module() || is_list(*object));
  const bool is_known = is_other_object || value.is_tensor() || value.is(ValueKind::kNone) ||
                        value.is(ValueKind::kBool) || value.is(ValueKind::kInt) ||
                        value.is(ValueKind::kString) || value.is(ValueKind::kSymbol) ||
                        value.is(ValueKind::kDevice);
  return is_known ? std::optional(false) : std::nullopt;
}

// Whether a value is a class; nullopt where that is not known.
std::optional<bool> is_class(CallContext& context, const Value& value) {
  if (class_of(context, value)) return true;
  const Object* object = context.state.object_of(value);
  const bool is_other_object =
      object && ((object->kind == ObjectKind::kRecord && object->type) || object->is_module() ||
                 object->kind == ObjectKind::kClosure || is_list(*object));
  return is_other_object || value.is_tensor() || value.is(ValueKind::kNone) || value.is_scalar()
             ? std::optional(false)
             : std::nullopt;
}

// Whether a value is of one class; nullopt where that is not known.
std::optional<bool> is_of(CallContext& context, const Value& value, const Value& of) {
  const Object* object = context.state.object_of(value);
  std::optional<std::string> library = library_name(context, of);
  const ir::Class* type = class_of(context, of);
  constexpr std::string_view kBuiltins = "builtins.";
  if (library == "builtins.type") return is_class(context, value);
  if (library && library->starts_with(kBuiltins))
    return is_builtin(context, value, std::string_view(*library).substr(kBuiltins.size()));
  if (library == "torch.Tensor") return is_tensor(context, value);
  if (library == "types.FunctionType" || library == "types.LambdaType")
    return is_function(context, value);
  if (type && value.is_tensor() && !derives_from_tensor(context, *type)) return false;
  if (library && library->starts_with("numpy.") && is_no_array(context, value)) return false;
  if (library && names_collection(*library))
    return is_collection(context, value, last_part(*library));
  bool is_known_module = object && object->is_module() && (object->complete || !object->type);
  if (library && is_known_module && library->ends_with("DataParallel")) {
    const std::string& own = context.activation.names().text(object->type_name);
    if (object->type) return false;
    return ir::last_component(own) == library->substr(library->rfind('.') + 1);
  }
  if (library && object && object->is_module() && object->complete)
    return is_layer_of(context, *object, *library);
  // A library's layer is of no class of the program.
  const bool is_layer = object && object->is_module() && object->complete && !object->type &&
                        context.activation.names().text(object->type_name).starts_with("torch::nn");
  if (type && is_layer) return false;
  if (type && object && object->type && object->complete) {
    auto order = lookup_order(context.activation, *object->type);
    return std::ranges::find(order, type) != order.end();
  }
  return std::nullopt;
}

// The value whose type `type(value)` is.
const Value* typed_value(CallContext& context, const Value& type) {
  const Object* object = context.state.object_of(type);
  return object && object->kind == ObjectKind::kLibrary ? object->find(context.name(kTypeOf))
                                                        : nullptr;
}

// Whether the type of a value is exactly one of those, as isinstance() does not tell: other types
// derive from it.
std::optional<bool> is_exactly(CallContext& context, const Value& value, const Value& type) {
  const std::optional<bool> is_one = is_of(context, value, type);
  const std::optional<std::string> library = library_name(context, type);
  if (is_one != true || !library) return is_one == false ? is_one : std::nullopt;
  const Object* object = context.state.object_of(value);
  if (value.is_tensor()) return value.place.kind == PlaceKind::kCell ? std::nullopt : is_one;
  if (value.is(ValueKind::kBool)) return *library == "builtins.bool";
  if (object && object->is_module())
    return context.activation.names().text(object->type_name) ==
           models::python_class_name(*library);
  const bool is_literal = value.is(ValueKind::kString) || value.is(ValueKind::kInt);
  const bool is_plain_list =
      object && (object->is_known_list ||
                 (object->kind == ObjectKind::kTuple && object->find(context.name(kOfBatch))));
  return is_literal || is_plain_list ? is_one : std::nullopt;
}

// `isinstance(x, (list, tuple))`: lists and tuples from elsewhere are one kind here.
bool covers_sequences(CallContext& context, const std::vector<Value>& classes) {
  const auto has = [&](std::string_view name) {
    return std::ranges::any_of(classes, [&](const Value& each) {
      return library_name(context, context.state.read(each)) == name;
    });
  };
  return has("builtins.list") && has("builtins.tuple");
}

// `isinstance(x, torch.cuda.FloatTensor)`: where the tensor is decides, since most are of floats.
std::optional<std::string_view> asked_of_place(CallContext& context, const Value& type) {
  const std::optional<std::string> library = library_name(context, type);
  if (library == "torch.cuda.FloatTensor") return "is_cuda";
  if (library == "torch.FloatTensor") return "is_cpu";
  return std::nullopt;
}

}  // namespace

Value type_of(CallContext& context, const Value& value) {
  const Object* object = context.state.object_of(value);
  if (object && object->type && object->complete) return class_value(context, object->type->key);
  if (std::optional<Value> type = object ? type_of_named_tuple(context, *object) : std::nullopt)
    return *type;
  Object type = context.library_object("the type of a value");
  type.set(context.name(kTypeOf), value);
  return context.make(std::move(type));
}

std::optional<Exits> make_of_type(CallContext& context, const Value& type, const Given& given) {
  const Value* typed = typed_value(context, type);
  const Object* object = typed ? context.state.object_of(*typed) : nullptr;
  if (!object || !is_list(*object)) return std::nullopt;
  if (object->kind == ObjectKind::kTuple && !object->find(context.name(kOfBatch)))
    return builtin_function(context, "tuple", given);
  if (object->is_map) return builtin_function(context, "dict", given);
  return object->is_known_list ? builtin_function(context, "list", given) : std::nullopt;
}

std::optional<bool> are_same_types(CallContext& context, const Value& a, const Value& b) {
  const ir::Class* first = class_of(context, a);
  const ir::Class* second = class_of(context, b);
  if (first && second) return first == second;
  const Value* typed = typed_value(context, a);
  if (typed) return is_exactly(context, *typed, b);
  typed = typed_value(context, b);
  if (typed) return is_exactly(context, *typed, a);
  return std::nullopt;
}

std::optional<bool> is_tensor(CallContext& context, const Value& value) {
  if (value.is(ValueKind::kNone) || is_number_or_text(value, context.activation.names()))
    return false;
  // Who asks that of a value of which nothing is known has tensors in mind: the others have no
  // place.
  if (value.is_tensor() || value.is(ValueKind::kUnknown)) return true;
  const Object* object = context.state.object_of(value);
  if (!object) return std::nullopt;
  if (object->type)
    return derives_from_tensor(context, *object->type) ? std::nullopt : std::optional(false);
  return object->is_module() || is_list(*object) ? std::optional(false) : std::nullopt;
}

// Whether the argument is written as a method that tensors, or modules, have: `x.to`.
static bool is_read_as_method(CallContext& context) {
  const auto& written = context.call().arguments;
  const ir::Instruction* read =
      written.size() == 1 ? context.activation.find_definition(written[0].value) : nullptr;
  if (!read || read->call.name != "object.get" || read->call.arguments.size() != 2) return false;
  const ir::Instruction* name = context.activation.find_definition(read->call.arguments[1].value);
  const auto* text = name ? std::get_if<std::string>(&name->literal) : nullptr;
  constexpr std::string_view kTransfers[] = {"cpu", "cuda", "half", "numpy", "to"};
  return text && (models::find_operator(*text) ||
                  std::ranges::find(kTransfers, *text) != std::end(kTransfers));
}

std::optional<Value> asks_for_function(CallContext& context, std::string_view name,
                                       const Given& given) {
  const bool means_any = name == "builtins.callable";
  if ((!means_any && name != "inspect.isfunction") || given.size() != 1) return std::nullopt;
  const Value asked = context.state.read(given.values[0]);
  std::optional<bool> is = is_function(context, asked);
  const Object* object = context.state.object_of(asked);
  if (means_any && ((object && object->is_module()) || class_of(context, asked))) is = true;
  if (means_any && !is && is_read_as_method(context)) is = true;
  return is ? Value::boolean(*is) : lost_scalar(context);
}

Value is_instance(CallContext& context, const Given& given) {
  if (given.size() != 2) return unknown_scalar(context);
  // One of several classes.
  const Object* several = context.state.object_of(given.values[1]);
  bool is_tuple = several && several->kind == ObjectKind::kTuple;
  std::vector<Value> classes = is_tuple ? several->elements : std::vector{given.values[1]};
  bool is_decided = true;
  const Value asked = context.state.read(given.values[0]);
  if (const auto query = is_tuple || !asked.is_tensor()
                             ? std::nullopt
                             : asked_of_place(context, context.state.read(classes[0]))) {
    Exits exits = get_attribute(context, asked, std::string(*query));
    context.state = std::move(exits.front().state);
    return exits.front().value;
  }
  bool are_other_types = true;
  bool are_arrays = true;
  bool are_tensors = true;
  for (const Value& each : classes) {
    const Value type = context.state.read(each);
    std::optional<bool> is_one = is_of(context, given.values[0], type);
    if (is_one == true) return Value::boolean(true);
    is_decided &= is_one.has_value();
    std::optional<std::string> library = library_name(context, type);
    are_other_types &= library && !library->starts_with("torch.");
    are_arrays &= library && library->starts_with("numpy.");
    are_tensors &= library == "torch.Tensor";
  }
  if (is_decided) return Value::boolean(false);
  const Object* object = context.state.object_of(asked);
  const bool is_sequence = object && object->kind == ObjectKind::kContainer && !object->is_map &&
                           !is_unordered(*object, context.activation.names());
  if (is_sequence && covers_sequences(context, classes)) return Value::boolean(true);
  const Value answer = unknown_scalar(context);
  // A result of arithmetic may be a number or a tensor.
  const bool may_be_tensor = asked.is(ValueKind::kSymbol);
  const bool is_guess = asked.is(ValueKind::kUnknown)
                            ? are_other_types
                            : may_be_tensor && (are_arrays || are_tensors);
  if (!is_guess || !answer.is(ValueKind::kSymbol)) return answer;
  Names& names = context.activation.names();
  const Name is_other = names.term(kIsOtherType, {answer.name});
  return Value::symbol(may_be_tensor && are_tensors ? negated(is_other, names) : is_other);
}

}  // namespace placecheck::dataflow
