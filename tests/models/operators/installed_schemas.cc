#include "tests/models/operators/installed_schemas.h"

#include <exception>
#include <string_view>

namespace placecheck::models {
namespace {

bool mentions_tensors(const c10::FunctionSchema& schema) {
  const auto text = c10::str(schema);
  return text.find("Tensor", text.find('(')) != std::string::npos &&
         text.find("Dict(") == std::string::npos;
}

const c10::Type& without_optional(const c10::Type& type) {
  if (const auto* optional = type.castRaw<c10::OptionalType>()) return *optional->getElementType();
  return type;
}

// A value of the type, or none; tensors are counted in `given`.
std::optional<c10::IValue> make_value(const c10::Argument& argument, const TensorSource& tensors,
                                      std::size_t& given) {
  if (is_tensor(argument)) return c10::IValue(tensors(given++));
  if (is_tensor_list(argument)) {
    c10::List<at::Tensor> list;
    for (int i = 0; i < 2; ++i) list.push_back(tensors(given++));
    return c10::IValue(list);
  }
  switch (argument.type()->kind()) {
    case c10::TypeKind::IntType:
      return c10::IValue(0);
    case c10::TypeKind::FloatType:
    case c10::TypeKind::NumberType:
      return c10::IValue(0.5);
    case c10::TypeKind::BoolType:
      return c10::IValue(false);
    default:
      return std::nullopt;
  }
}

std::optional<torch::jit::Stack> make_stack(const c10::FunctionSchema& schema,
                                            const TensorSource& tensors) {
  torch::jit::Stack stack;
  std::size_t given = 0;
  for (const auto& argument : schema.arguments()) {
    if (argument.default_value()) {
      stack.push_back(*argument.default_value());
    } else if (auto value = make_value(argument, tensors, given)) {
      stack.push_back(*value);
    } else {
      return std::nullopt;
    }
  }
  return stack;
}

}  // namespace

std::vector<InstalledOperator> installed_operators() {
  std::vector<InstalledOperator> result;
  for (const auto& operation : torch::jit::getAllOperators()) {
    const auto& schema = operation->schema();
    if (schema.name().rfind("aten::", 0) == 0 && mentions_tensors(schema)) {
      result.push_back(operation);
    }
  }
  return result;
}

std::string plain_name(const c10::FunctionSchema& schema) {
  return schema.name().substr(std::string_view("aten::").size());
}

bool is_tensor(const c10::Argument& argument) {
  return without_optional(*argument.type()).kind() == c10::TypeKind::TensorType;
}

bool is_tensor_list(const c10::Argument& argument) {
  const auto& type = without_optional(*argument.type());
  const auto* list = type.castRaw<c10::ListType>();
  if (list == nullptr) return false;
  return without_optional(*list->getElementType()).kind() == c10::TypeKind::TensorType;
}

bool is_written(const c10::Argument& argument) {
  return argument.alias_info() != nullptr && argument.alias_info()->isWrite();
}

bool has_out(const c10::FunctionSchema& schema) {
  for (const auto& argument : schema.arguments()) {
    if (argument.kwarg_only() && is_written(argument)) return true;
  }
  return false;
}

std::optional<std::vector<c10::IValue>> call(const InstalledOperator& operation,
                                             const TensorSource& tensors, std::string* error) {
  auto stack = make_stack(operation->schema(), tensors);
  if (!stack) return std::nullopt;
  try {
    operation->getOperation()(*stack);
  } catch (const std::exception& failure) {
    *error = failure.what();
    return std::nullopt;
  }
  return *stack;
}

}  // namespace placecheck::models
