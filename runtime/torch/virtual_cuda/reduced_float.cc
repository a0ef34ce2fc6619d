#include "runtime/torch/virtual_cuda/reduced_float.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace placecheck::virtual_cuda {
namespace {

using c10::IValue;

// Which older releases do not have: there it is complex float.
bool is_complex_bfloat16(at::ScalarType type) {
  return type != at::kComplexFloat && type == c10::toComplexType(at::kBFloat16);
}

bool is_reduced(const at::Tensor& tensor) {
  if (!tensor.defined()) return false;
  const at::ScalarType type = tensor.scalar_type();
  return type == at::kHalf || type == at::kBFloat16 || type == at::kComplexHalf ||
         is_complex_bfloat16(type);
}

// Of the numbers that a tensor is made of.
at::ScalarType real_type(at::ScalarType type) {
  if (type == at::kComplexHalf) return at::kHalf;
  return is_complex_bfloat16(type) ? at::kBFloat16 : type;
}

at::ScalarType wide(at::ScalarType type) {
  return c10::isComplexType(type) ? at::kComplexFloat : at::kFloat;
}

std::optional<at::ScalarType> type_of(const IValue& value) {
  if (value.isTensor()) {
    const at::Tensor& tensor = value.toTensor();
    if (is_reduced(tensor)) return real_type(tensor.scalar_type());
  } else if (value.isList()) {
    for (const IValue& element : value.toListRef()) {
      if (const auto type = type_of(element)) return type;
    }
  }
  return std::nullopt;
}

// Float copies of the arguments of one call.
class FloatCopies {
 public:
  explicit FloatCopies(at::ScalarType type) : type_(type) {}

  IValue copy(const IValue& value, bool is_written) {
    if (value.isTensor()) return copy(value.toTensor(), is_written);
    if (!value.isList() || !type_of(value)) return value;
    if (value.isTensorList()) {
      c10::List<at::Tensor> tensors;
      for (const at::Tensor& tensor : value.toTensorVector()) {
        tensors.push_back(copy(tensor, is_written));
      }
      return tensors;
    }
    c10::List<c10::optional<at::Tensor>> tensors;
    for (const IValue& element : value.toListRef()) {
      if (element.isTensor()) {
        tensors.push_back(copy(element.toTensor(), is_written));
      } else {
        tensors.push_back(c10::nullopt);
      }
    }
    return tensors;
  }

  // What the kernel wrote into the copies.
  void write_back() const {
    for (const Pair& pair : pairs_) {
      if (!pair.is_written) continue;
      if (!pair.narrow.is_sparse() && pair.narrow.sizes() != pair.wide.sizes())
        pair.narrow.resize_(pair.wide.sizes());
      pair.narrow.copy_(pair.wide);
    }
  }

  // The argument whose copy a result is, or the result in the arguments' type.
  at::Tensor narrow(const at::Tensor& result, bool is_narrow) const {
    for (const Pair& pair : pairs_) {
      if (pair.wide.is_same(result)) return pair.narrow;
    }
    if (!result.defined() || !is_narrow) return result;
    if (result.scalar_type() == at::kFloat) return result.to(type_);
    const bool is_complex = result.scalar_type() == at::kComplexFloat;
    return is_complex ? result.to(c10::toComplexType(type_)) : result;
  }

 private:
  struct Pair {
    at::Tensor narrow;
    at::Tensor wide;
    bool is_written;
  };

  at::Tensor copy(const at::Tensor& tensor, bool is_written) {
    if (!is_reduced(tensor)) return tensor;
    for (Pair& pair : pairs_) {
      if (!pair.narrow.is_same(tensor)) continue;
      pair.is_written = pair.is_written || is_written;
      return pair.wide;
    }
    pairs_.push_back({tensor, tensor.to(wide(tensor.scalar_type())), is_written});
    return pairs_.back().wide;
  }

  at::ScalarType type_;  // half or bfloat16
  std::vector<Pair> pairs_;
};

// How the results' types follow from the call.
struct ResultTypes {
  bool are_narrow = true;      // not where the caller asks for another type
  bool is_first_only = false;  // statistics, and gradients of wide parameters, stay float
};

bool has_wide_float(at::ArrayRef<IValue> arguments) {
  for (const IValue& argument : arguments) {
    if (!argument.isTensor() || !argument.toTensor().defined()) continue;
    if (argument.toTensor().scalar_type() == at::kFloat) return true;
  }
  return false;
}

// "dtype", and "input_dtype" of some backward operators: types of elements, which schemas call int.
bool is_type(const c10::Argument& argument) { return argument.name().ends_with("dtype"); }

ResultTypes result_types(const c10::OperatorHandle& op, at::ArrayRef<IValue> arguments) {
  ResultTypes types;
  const std::string& name = op.operator_name().name;
  const bool is_norm = name.find("_norm") != std::string::npos;
  const bool is_backward = name.find("backward") != std::string::npos;
  types.is_first_only = has_wide_float(arguments) || (is_norm && !is_backward);
  const auto& schema = op.schema().arguments();
  for (std::size_t i = 0; i < schema.size(); ++i) {
    if (!is_type(schema[i]) || !arguments[i].isInt()) continue;
    const auto asked = static_cast<at::ScalarType>(arguments[i].toInt());
    types.are_narrow = asked == at::kHalf || asked == at::kBFloat16;
  }
  return types;
}

void widen_dtype(const c10::OperatorHandle& op, std::vector<IValue>& arguments) {
  const auto& schema = op.schema().arguments();
  for (std::size_t i = 0; i < schema.size(); ++i) {
    if (!is_type(schema[i]) || !arguments[i].isInt()) continue;
    const auto asked = static_cast<at::ScalarType>(arguments[i].toInt());
    if (asked != at::kHalf && asked != at::kBFloat16) continue;
    arguments[i] = static_cast<std::int64_t>(at::kFloat);
  }
}

IValue narrow(const IValue& result, bool is_narrow, const FloatCopies& copies) {
  if (result.isTensor()) return copies.narrow(result.toTensor(), is_narrow);
  if (!result.isTensorList()) return result;
  c10::List<at::Tensor> tensors;
  for (const at::Tensor& tensor : result.toTensorVector()) {
    tensors.push_back(copies.narrow(tensor, is_narrow));
  }
  return tensors;
}

}  // namespace

std::optional<at::ScalarType> reduced_float_of(at::ArrayRef<IValue> arguments) {
  for (const IValue& argument : arguments) {
    if (const auto type = type_of(argument)) return type;
  }
  return std::nullopt;
}

bool accumulates_in_float(const c10::OperatorHandle& op) {
  const std::string& name = op.operator_name().name;
  // The CPU's means, norms and weight_norm round in between. Its Fourier transforms say of a 16-bit
  // type only that another one was expected, where they do not take it.
  return name == "aten::mean" || name == "aten::norm" || name == "aten::linalg_vector_norm" ||
         name.starts_with("aten::_weight_norm_interface") || name.starts_with("aten::_fft_");
}

bool is_slow_in_half(const c10::OperatorHandle& op) {
  constexpr std::string_view kProducts[] = {
      "aten::_convolution",
      "aten::addmm",
      "aten::addmv",
      "aten::baddbmm",
      "aten::bmm",
      "aten::convolution",
      "aten::convolution_backward",
      "aten::mm",
  };
  return std::ranges::binary_search(kProducts, op.operator_name().name);
}

bool are_of_type(at::ArrayRef<IValue> arguments, at::ScalarType type) {
  return std::ranges::all_of(arguments, [&](const IValue& argument) {
    if (!argument.isTensor() || !argument.toTensor().defined()) return true;
    const at::Tensor& tensor = argument.toTensor();
    return !tensor.is_floating_point() || tensor.scalar_type() == type;
  });
}

bool is_missing_kernel(const c10::Error& error) {
  const std::string& text = error.msg();
  for (const std::string type : {"Half", "BFloat16", "ComplexHalf", "BComplex32"}) {
    for (const std::string& refusal :
         {"not implemented for '" + type + "'", "not implemented for " + type,
          "support tensors of type: " + type}) {
      if (text.find(refusal) != std::string::npos) return true;
    }
  }
  return text.find("not implemented for half on CPU") != std::string::npos;
}

void call_in_float(const c10::OperatorHandle& op, KernelCall call, at::ScalarType type,
                   std::vector<IValue>&& arguments, torch::jit::Stack* stack) {
  const ResultTypes types = result_types(op, arguments);
  FloatCopies copies(type);
  widen_dtype(op, arguments);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const c10::AliasInfo* alias = op.schema().arguments()[i].alias_info();
    stack->push_back(copies.copy(arguments[i], alias != nullptr && alias->isWrite()));
  }
  call(op, stack);
  copies.write_back();
  const std::size_t count = op.schema().returns().size();
  const std::size_t first = stack->size() - count;
  for (std::size_t i = 0; i < count; ++i) {
    const bool is_narrow = types.are_narrow && (i == 0 || !types.is_first_only);
    (*stack)[first + i] = narrow((*stack)[first + i], is_narrow, copies);
  }
}

}  // namespace placecheck::virtual_cuda
