#include "analyzer/models/libraries/untyped.h"

#include <algorithm>
#include <iterator>

namespace placecheck::models {
namespace {

struct Row {
  std::string_view operation;
  std::string_view name;
};

// Sorted by operation.
constexpr Row kTensorOperators[] = {
    {"op.add", "operator+"},
    {"op.and", "operator&"},
    {"op.div", "operator/"},
    {"op.eq", "operator=="},
    {"op.floordiv", "floor_divide"},
    {"op.ge", "operator>="},
    {"op.gt", "operator>"},
    {"op.invert", "operator~"},
    {"op.le", "operator<="},
    {"op.lt", "operator<"},
    {"op.matmul", "matmul"},
    {"op.mod", "operator%"},
    {"op.mul", "operator*"},
    {"op.ne", "operator!="},
    {"op.neg", "operator-"},
    {"op.or", "operator|"},
    {"op.pow", "pow"},
    {"op.sub", "operator-"},
    {"op.xor", "operator^"},
};
static_assert(std::ranges::is_sorted(kTensorOperators, {}, &Row::operation));

std::string_view class_of(ReceiverKind receiver) {
  switch (receiver) {
    case ReceiverKind::kTensor:
      return "at::Tensor::";
    case ReceiverKind::kDevice:
      return "c10::Device::";
    case ReceiverKind::kOptions:
      return "c10::TensorOptions::";
    case ReceiverKind::kModule:
      return "torch::nn::Module::";
    case ReceiverKind::kContainer:
      return "std::";
  }
  return "";
}

}  // namespace

std::string typed_name(ReceiverKind receiver, std::string_view method) {
  if (!method.starts_with("op.")) return std::string(class_of(receiver)).append(method);
  if (receiver != ReceiverKind::kTensor) return "";
  const auto* row = std::ranges::lower_bound(kTensorOperators, method, {}, &Row::operation);
  if (row == std::end(kTensorOperators) || row->operation != method) return "";
  return std::string("at::").append(row->name);
}

}  // namespace placecheck::models
